"""Writes fixtures/worth.json, docs/worth.md and its pictures: in some minutes, the same bytes every time."""

from __future__ import annotations

import json
import sys
from multiprocessing import Pool
from typing import Any

from rosters.balance import worth
from tools.worth import document
from tools.worth.measure import BATTLES, SEED, Job, jobs, price, work
from tools.worth.questions import GAMES, Game, Study


def game_data(slug: str, game: Game, results: dict[Job, Any]) -> dict[str, Any]:
    """A game of the file: what was measured of its studies and matches, and what it says of them."""
    return {
        "system": slug,
        "readings": game.readings,
        "unmeasured": game.unmeasured,
        "studies": [study_data(slug, at, study, results) for at, study in enumerate(game.studies)],
        "matches": [results["match", slug, at, 0, 0] for at in range(len(game.matches))],
        "questions": [
            {"question": question, "study": study, "rows": [*rows]} for question, study, rows in game.questions
        ],
    }


def study_data(slug: str, at: int, study: Study, results: dict[Job, Any]) -> dict[str, Any]:
    """A study of the file, the one at ``at`` of its game."""
    paid = price(slug, [(study.plain, 1)])
    return {
        "key": study.key,
        "title": study.title,
        "plain": study.plain,
        "points": None if paid is None else float(paid),
        "models": study.models,
        "battles": study.battles,
        "policy": study.policy,
        "fixed": study.ground is not None,
        "distance": study.distance,
        "unit": study.unit,
        "turns": results["plain", slug, at, 0, 0],
        "groups": [
            {
                "title": group.title,
                "stat": group.stat,
                "rows": [results["row", slug, at, place, row] for row in range(len(group.rows))],
            }
            for place, group in enumerate(study.groups)
        ],
    }


def main() -> None:
    """Measure everything, or with --draw only write the document anew."""
    if "--draw" not in sys.argv:
        todo = [*jobs()]
        with Pool(2) as pool:
            results = {}
            for number, (job, result) in enumerate(zip(todo, pool.imap(work, todo), strict=True), 1):
                results[job] = result
                print(f"\r{number} of {len(todo)}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        games = [game_data(slug, game, results) for slug, game in GAMES.items()]
        text = json.dumps({"seed": SEED, "battles": BATTLES, "games": games}, indent=1, ensure_ascii=False)
        worth.path().write_text(f"{text}\n", encoding="utf-8")
    document.write()


if __name__ == "__main__":
    main()
