// The print page: order of the sheets, settings of those that are selected, and pages to fit on. Its form works without.
(() => {
  const form = document.getElementById("print-form");
  const list = form.querySelector(".print-sheets");
  const status = form.querySelector("[data-moved]");
  const boxOf = (row) => row.querySelector("[name=sheet]");
  const selected = () => [...list.children].filter((row) => boxOf(row).checked);
  const changed = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));

  // A sheet changes places with the selected one before or after it, as the button does when it sends the form.
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[name=up], [name=down]");
    if (!button) return;
    event.preventDefault();
    const row = button.closest("li");
    const rows = selected();
    const other = rows[rows.indexOf(row) + (button.name === "up" ? -1 : 1)];
    if (!other) return;
    if (button.name === "up") other.before(row);
    else other.after(row);
    button.focus();
    announce(row);
    changed(boxOf(row));
  });

  // A selected sheet is dragged to the place of another by mouse or pen; a finger scrolls.
  const START = 6; // pixels until a press is no click
  let drag = null;
  list.addEventListener("dragstart", (event) => event.preventDefault()); // not the picture alone
  list.addEventListener("selectstart", (event) => { if (drag) event.preventDefault(); }); // nor the words on the way
  list.addEventListener("pointerdown", (event) => {
    const row = event.target.closest("li");
    drag = null;
    if (event.button || event.pointerType === "touch" || !row || event.target.closest("button")) return;
    if (boxOf(row).checked) drag = { row, next: row.nextSibling, x: event.clientX, y: event.clientY, moves: false };
  });
  addEventListener("pointermove", ({ buttons, clientX, clientY }) => {
    if (!drag || drag.ended || !buttons) return;
    drag.moves ||= Math.hypot(clientX - drag.x, clientY - drag.y) > START;
    if (!drag.moves) return;
    drag.row.classList.add("dragged");
    const other = document.elementFromPoint(clientX, clientY)?.closest(".print-sheets li");
    const rows = selected();
    if (!other || other === drag.row || !rows.includes(other)) return;
    if (rows.indexOf(other) > rows.indexOf(drag.row)) other.after(drag.row);
    else other.before(drag.row);
  });

  function drop(keep) {
    if (!drag?.moves || drag.ended) return;
    const { row, next } = drag;
    drag.ended = true; // until the click that follows
    row.classList.remove("dragged");
    if (!keep) list.insertBefore(row, next);
    else if (row.nextSibling !== next) {
      announce(row);
      changed(boxOf(row));
    }
  }
  addEventListener("pointerup", () => drop(true));
  addEventListener("pointercancel", () => drop(false));
  addEventListener("keydown", ({ key }) => { if (key === "Escape") drop(false); });
  list.addEventListener("click", (event) => {
    if (drag?.ended) event.preventDefault(); // which selects nothing
    drag = null;
  }, true);

  function announce(row) {
    const rows = selected();
    const words = status.dataset.moved.replace("{place}", rows.indexOf(row) + 1).replace("{count}", rows.length);
    status.textContent = `${row.querySelector("b").textContent}: ${words}`;
  }

  // Settings are shown with the sheets that they change; a group without any is not. The first sheet cannot be printed
  // earlier, nor the last one later.
  function update() {
    const rows = selected();
    const codes = rows.map((row) => boxOf(row).value);
    rows.forEach((row, place) => {
      row.querySelector("[name=up]").setAttribute("aria-disabled", place === 0);
      row.querySelector("[name=down]").setAttribute("aria-disabled", place === rows.length - 1);
    });
    form.querySelectorAll("[data-sheets]").forEach((each) => {
      const sheets = each.dataset.sheets;
      each.hidden = sheets !== "" && !sheets.split(" ").some((code) => codes.includes(code));
    });
  }
  list.addEventListener("change", update);
  update();

  // The order of the sheets is sent as it is: without the button that was pressed last, which htmx adds.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    delete detail.parameters.up;
    delete detail.parameters.down;
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-fit]");
    if (!link) return;
    event.preventDefault();
    form.elements.fit.value = link.dataset.fit;
    changed(form.elements.fit);
  });

  document.addEventListener("htmx:afterSwap", () => {
    const error = document.getElementById("id_fit_error");
    form.elements.fit.setAttribute("aria-invalid", error.textContent !== "");
  });
})();
