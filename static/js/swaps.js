// What htmx replaces keeps the focus, and what was typed since its request was sent: in the same control, or in the next
// one of its kind where that is gone, as the row of a deleted element.
(() => {
  let byKeyboard = false;
  document.addEventListener("keydown", () => { byKeyboard = true; }, true);
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, true);

  let replaced = null; // of the part that is replaced: its focus and what was typed in it
  let edited = null; // the field that was typed in last
  document.addEventListener("input", ({ target }) => { edited = target; });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const active = document.activeElement;
    replaced = {
      focused: detail.target.contains(active) ? active : null,
      place: alike(active).indexOf(active),
      selection: [active.selectionStart, active.selectionEnd],
      typed: typedSince(detail.target, detail.requestConfig),
      isEdited: active === edited,
    };
    openRows = [...document.querySelectorAll("tr.open")].map((row) => row.id);
  });

  // Rows stay open. htmx sets the classes of the answer last.
  let openRows = []; // their ids
  const reopen = () => openRows.forEach((id) => openedRow.open(document.getElementById(id)));
  document.addEventListener("htmx:afterSettle", reopen);

  document.addEventListener("htmx:afterSwap", () => {
    if (!replaced) return;
    const { focused, place, selection, typed, isEdited } = replaced;
    replaced = null;
    reopen();
    typed.forEach(fillAgain);
    if (!focused) return;
    if (document.activeElement === document.body) restoreFocus(focused, place);
    const field = document.activeElement;
    if (!same(field, focused)) return;
    if (typeof selection[0] === "number") field.setSelectionRange(...selection);
    else if (field.type === "number" && isEdited) goToEnd(field); // its selection cannot be read
    else if (field.type === "number" && byKeyboard && !typed.includes(focused)) field.select(); // as Tab does
  });

  // Puts what was typed into a field of the part before into the same field of the new one.
  function fillAgain(old) {
    const field = [...document.getElementsByName(old.name)].find((each) => same(each, old));
    if (!field) return;
    if (/checkbox|radio/.test(old.type)) field.checked = old.checked;
    else field.value = old.value;
    field.classList.toggle("unsaved", field.matches(".quantity"));
  }

  function goToEnd(field) {
    const { value } = field;
    field.value = "";
    field.value = value;
    edited = field;
  }

  function restoreFocus(focused, place) {
    if (focused.closest(".opened")) return focusLine(focused, focused.closest(".opened"));
    if (focused.matches("#grid :is(td, th)")) return focusCell(focused);
    const others = alike(focused);
    const row = document.getElementById(focused.closest("[id]")?.id);
    const first = !matchMedia("(pointer: coarse)").matches && document.querySelector("main [autofocus]"); // of another page
    const next = others.find((each) => same(each, focused)) || first || others[Math.min(place, others.length - 1)]
      || (focused.closest(".saved") && document.querySelector(".saved button")) // Redo where nothing is left to undo
      || row?.querySelector(".quantity") || row?.querySelector("h2[tabindex], a, button") || document.querySelector("main");
    if (next.tagName === "MAIN") next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }

  // A cell of the roster's table: the same one of its row, or of the row at the place of a deleted one.
  function focusCell(old) {
    const rows = [...document.querySelectorAll("#grid tbody > tr[id]")];
    const place = [...old.closest("#grid").querySelectorAll("tbody > tr[id]")].indexOf(old.parentElement);
    const row = document.getElementById(old.parentElement.id) || rows[Math.min(place, rows.length - 1)];
    const cell = row?.cells[old.cellIndex] || document.querySelector("main");
    cell.tabIndex = -1;
    cell.focus({ preventScroll: true });
  }

  // Under an opened row: the same there, or the row where that is gone, or in its menu, which is closed again.
  function focusLine(focused, line) {
    const row = line.previousElementSibling;
    const place = [...line.querySelectorAll(focused.tagName)].indexOf(focused);
    const again = document.querySelector(`#${CSS.escape(row.id)} + .opened`)?.querySelectorAll(focused.tagName)[place];
    again?.focus({ preventScroll: true });
    if (document.activeElement !== again) focusCell(row.querySelector("th"));
  }

  const CHOSEN = /checkbox|radio|submit|button/; // controls of one name, which differ by their values

  // The controls of the same kind in all rows.
  function alike(control) {
    const kind = (each) => [each.type, each.getAttribute("formaction"), each.getAttribute("form") ?? each.form?.getAttribute("action"), each.className.replace(/ ?\b(unsaved|is-invalid|htmx-\w+)/g, "")].join();
    return [...document.querySelectorAll(control.tagName)].filter((each) => kind(each) === kind(control) && each.offsetParent && each.tabIndex >= 0);
  }

  function same(one, other) {
    return one.name === other.name && one.getAttribute("href") === other.getAttribute("href")
      && (!CHOSEN.test(other.type) || one.value === other.value);
  }

  // The fields of a part of the page that have changed since the request: values that are neither those sent nor, in other
  // forms, those rendered.
  function typedSince(part, request) {
    const sent = new Map();
    for (const [name, value] of request.formData) {
      sent.set(name, [...(sent.get(name) || []), value instanceof File ? value : value.replaceAll("\r\n", "\n")]);
    }
    const form = request.verb === "get" ? null : request.elt.closest("form"); // a link sends nothing of the form around it
    return [...part.querySelectorAll("input:not([type=hidden], [type=file]), textarea, select")].filter((field) => {
      const values = sent.get(field.name) || [];
      if (!field.name) return false;
      if (/checkbox|radio/.test(field.type)) return field.checked !== (field.form === form ? values.includes(field.value) : field.defaultChecked);
      return field.form === form ? field.value !== (values[0] ?? "") : "defaultValue" in field && field.value !== field.defaultValue;
    });
  }
})();
