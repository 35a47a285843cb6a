// Order by dragging: a row, all selected rows, or a formation, by its handle. Nothing moves until it is dropped: a line
// shows where. Buttons and keys do the same without this.
(() => {
  const EDGE = 70; // pixels at the top and the bottom of the window in which the page scrolls
  const SPEED = 9; // pixels a frame
  let drag = null;

  const idOf = (part) => part?.id.slice(2) ?? "";
  const isFormation = () => drag.moved[0].tagName === "TBODY";

  // Where it can be dropped: the height in the window, the formation, and what comes after it there.
  function slots() {
    const bodies = [...document.querySelectorAll("#grid > tbody")];
    const top = (part) => part.getBoundingClientRect().top;
    const bottom = (part) => part.getBoundingClientRect().bottom;
    if (isFormation()) return [...bodies.map((body) => ({ y: top(body), before: body })), { y: bottom(bodies.at(-1)) }];
    return bodies.flatMap((body) => {
      const rows = [...body.rows].filter((row) => row.id && !drag.moved.includes(row));
      return [...rows.map((row) => ({ y: top(row), into: body, before: row })), { y: bottom(body), into: body }];
    });
  }

  function point() {
    const distance = (slot) => Math.abs(slot.y - drag.y);
    drag.slot = slots().reduce((best, each) => distance(each) < distance(best) ? each : best);
    const { left, width } = document.getElementById("grid").getBoundingClientRect();
    Object.assign(drag.line.style, { top: `${drag.slot.y - 1.5}px`, left: `${left}px`, width: `${width}px` });
  }

  function scroll() {
    if (!drag) return;
    const by = drag.y < EDGE ? -SPEED : drag.y > innerHeight - EDGE ? SPEED : 0;
    if (by && drag.slot) {
      scrollBy(0, by);
      point();
    }
    requestAnimationFrame(scroll);
  }

  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest?.("#grid .handle");
    if (!handle || event.button) return;
    event.preventDefault(); // no text is selected
    handle.setPointerCapture(event.pointerId);
    const row = handle.closest("tr");
    const selected = [...document.querySelectorAll("#grid [name=pick]:checked")].map((each) => each.closest("tr"));
    drag = { moved: !row.id ? [row.parentElement] : selected.includes(row) ? selected : [row], y: event.clientY };
    drag.line = document.body.appendChild(Object.assign(document.createElement("div"), { className: "drop-line" }));
    drag.moved.forEach((each) => each.classList.add("dragged"));
    scroll();
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.y = event.clientY;
    point();
  });

  function end() {
    const { moved, line, slot } = drag;
    moved.forEach((each) => each.classList.remove("dragged"));
    line.remove();
    drag = null;
    return { moved, slot };
  }

  document.addEventListener("pointerup", () => {
    if (!drag) return;
    const formation = isFormation();
    const { moved, slot } = end();
    const next = moved.at(-1).nextElementSibling;
    if (!slot || (slot.before ?? null) === next && (formation || slot.into === next?.parentElement)) return; // as it was
    const { move, place } = document.getElementById("grid").dataset;
    const values = formation ? { formation: idOf(moved[0]) } : { pick: moved.map(idOf), to: idOf(slot.into) };
    const options = { source: "#roster-form", values: { ...values, before: idOf(slot.before) } };
    requests.loadMain("POST", formation ? place : move, options);
  });
  document.addEventListener("pointercancel", () => { if (drag) end(); });
  document.addEventListener("keydown", (event) => { if (drag && event.key === "Escape") end(); });
})();
