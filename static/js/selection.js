// Rows of the roster's table that are selected, and the bar with what can be done to all of them at once.
const selection = (() => {
  const grid = () => document.getElementById("grid");
  let last = null; // the id of the row that was selected last
  const checkbox = (row) => row.querySelector("[name=pick]");
  function set(row, on) {
    if (checkbox(row).checked !== on) { checkbox(row).checked = on; showSelection(); }
  }
  const toggle = (row) => { last = row.id; set(row, !checkbox(row).checked); };

  document.addEventListener("click", ({ target, shiftKey }) => {
    if (target.matches?.("#grid [data-all]")) {
      target.closest("tbody").querySelectorAll("[name=pick]").forEach((each) => { each.checked = target.checked; });
      showSelection();
    }
    if (!target.matches?.("#grid [name=pick]")) return;
    const [from, to] = [document.getElementById(last), target.closest("tr")].map((row) => rosterGrid.rows().indexOf(row));
    if (shiftKey && from >= 0) rosterGrid.rows().slice(Math.min(from, to), Math.max(from, to) + 1).forEach((row) => { checkbox(row).checked = target.checked; });
    last = target.closest("tr").id;
    showSelection();
  });

  const bar = () => document.querySelector(".bulk");
  const inBar = (selector) => bar().querySelector(selector);
  const checked = () => [...document.querySelectorAll("#grid [name=pick]:checked")];
  const ids = () => checked().map((each) => each.value);
  const bulkFields = () => [...bar().querySelectorAll("[data-set]")];

  function showCount() {
    inBar("[data-count]").textContent = ids().length;
    const prices = [...document.querySelectorAll("#grid tr:has([name=pick]:checked) > .sum")].map(({ dataset }) => dataset.points.split("/"));
    const points = prices.reduce((sum, [number, parts = 1]) => sum + number / parts, 0);
    const worth = points && points.toLocaleString("en", { maximumFractionDigits: 2 });
    bar().querySelectorAll("[data-sign]").forEach((each) => {
      each.textContent = ids().length + (points ? ` (${each.dataset.sign}${worth})` : "");
    });
  }

  function showSelection() {
    showCount();
    if (!bulkFields().length) addBulkFields(inBar(".bulk-fields"));
    previewBulk();
  }

  document.addEventListener("htmx:afterSettle", ({ target }) => { if (target.contains(grid()) && ids().length) showSelection(); }); // a new bar

  // The fields that selected rows share, each under the heading of its column; empty ones are left as they are.
  function addBulkFields(place) {
    for (const name of bar().dataset.fields.split(" ")) {
      const { content, dataset } = document.querySelector(`template[data-field="${name}"]`);
      const heading = grid().tHead.querySelector(`[data-field="${name}"]`)?.textContent ?? dataset.label;
      const field = content.firstElementChild.cloneNode(true);
      field.dataset.set = name;
      field.removeAttribute("name");
      field.title = dataset.label;
      if (field.tagName === "SELECT") field.options.add(new Option(bar().dataset.none, "", true, true), 0);
      const label = document.createElement("label");
      label.append(Object.assign(document.createElement("span"), { textContent: heading }), field);
      place.append(label);
    }
    place.addEventListener("input", previewBulk);
  }

  function bulkValues() {
    const values = bulkFields()
      .filter((each) => each.tagName === "SELECT" ? each.selectedIndex > 0 : each.value !== "")
      .map((each) => [`set-${each.dataset.set}`, each.value]);
    return values.length ? [...values, ...ids().map((each) => ["pick", each])] : [];
  }

  function showEffect(text, isBad) {
    inBar("output").textContent = text;
    inBar("output").classList.toggle("bad", isBad);
    inBar("[data-undo]").hidden = true;
  }

  let latest = 0; // the number of the last request: answers to others are too late
  async function previewBulk() {
    const isWrong = bulkFields().some((each) => each.validity.badInput); // its value is empty
    const values = ids().length && !isWrong ? bulkValues() : [];
    const number = latest += 1;
    inBar("[data-apply]").disabled = !values.length;
    bulkFields().forEach((each) => each.setAttribute("aria-invalid", each.validity.badInput));
    if (!values.length) { showEffect(isWrong ? grid().dataset.bad : "", isWrong); return; }
    const answer = await rosterGrid.save(bar().dataset.preview, values);
    if (number !== latest || !bar()) return;
    showEffect(answer.error ?? answer.effect, Boolean(answer.error));
    inBar("[data-apply]").disabled = Boolean(answer.error);
  }

  async function applyBulk() {
    latest += 1; // a preview that is still under way says nothing about the emptied fields
    inBar("[data-apply]").disabled = true;
    const answer = await rosterGrid.save(bar().dataset.set, bulkValues());
    if (answer.html === undefined) { showEffect(answer.error, true); inBar("[data-apply]").disabled = false; return; }
    bulkFields().forEach((each) => { each.value = ""; });
    const { textContent: effect } = inBar("output");
    showEffect(effect && `✓ ${effect}`, false);
    if (inBar("[data-sheet]").offsetParent) inBar("[data-sheet]").focus({ preventScroll: true });
    showFields(false);
    rosterGrid.patch(answer.html);
    inBar("[data-undo]").hidden = false;
    if (document.activeElement === document.body) focusRow(); // not on Apply, which is disabled
  }

  // The first that is selected; after a click the page stays where it is.
  function focusRow() {
    const cell = (checked()[0]?.closest("tr") ?? rosterGrid.rows()[0]).cells[2];
    cell.tabIndex = -1;
    cell.focus({ preventScroll: rosterGrid.isPointing() });
  }

  function clear() {
    document.querySelectorAll("#grid :is([name=pick], [data-all])").forEach((each) => { each.checked = false; });
    showSelection();
  }

  // On phones the fields are a sheet above the bar, while one works with it.
  function showFields(on) {
    bar().classList.toggle("open", on);
    inBar("[data-sheet]").setAttribute("aria-expanded", on);
    if (on && !rosterGrid.isPointing()) bulkFields()[0].focus();
  }
  document.addEventListener("focusin", ({ target }) => { if (bar()?.matches(".open") && !bar().contains(target)) showFields(false); });

  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(".bulk [data-sheet]")) showFields(!bar().matches(".open"));
    if (target.closest?.(".bulk [data-apply]")) applyBulk();
    if (!target.closest?.(".bulk [data-unselect]")) return;
    focusRow();
    clear();
  });
  document.addEventListener("keydown", (event) => {
    if (!event.target.dataset?.set) return;
    if (event.key === "Enter") { event.preventDefault(); inBar("[data-apply]").click(); }
    if (event.key === "Escape") focusRow(); // which closes the sheet
  });

  return { ids, set, toggle, clear, showCount, showFields };
})();
