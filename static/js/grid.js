// The roster's table edited in place. A cell is text until it is opened: then it holds the one field of its column, from
// the templates of the page. Saving sends that field alone and replaces only what has changed.
const rosterGrid = (() => {
  const grid = () => document.getElementById("grid");
  const rows = () => [...grid().querySelectorAll("tbody > tr[id]")];
  const fieldOf = (cell) => grid().tHead.rows[0].cells[cell.cellIndex]?.dataset.field;
  const cellOf = (element) => element?.closest?.("#grid tbody > tr[id] > :is(td, th)");
  const isField = (element) => element?.matches?.("input:not([type=checkbox]), textarea, select");

  // ---- requests

  // While a button is pressed, its release is waited for: with what an answer replaces, the click would be lost.
  let isPressed = false;
  document.addEventListener("pointerdown", ({ target }) => { isPressed = Boolean(target.closest("button")); }, true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { isPressed = false; }, true);
  const pause = () => new Promise((resolve) => { setTimeout(resolve, 20); });

  const unanswered = new Map(); // request ids: what may have been saved already is sent again under its own

  // POSTs a change. Returns {html}, or {error} with more where the site refuses it.
  async function save(url, values) {
    const body = new URLSearchParams(values);
    const key = `${url}?${body}`;
    if (!unanswered.has(key)) unanswered.set(key, requests.newId());
    body.append("request_id", unanswered.get(key));
    const response = await requests.send(url, { values: body, headers: { "X-Part": "1" } });
    if (!response) return { error: requests.texts.failed };
    while (isPressed) await pause();
    const { ok, status, headers, content } = response;
    if (status < 500) unanswered.delete(key);
    if (headers.get("Content-Type")?.includes("json")) return { ...JSON.parse(content), status };
    if (status === 422) return { refused: content };
    return ok ? { html: content } : { error: requests.texts.refused };
  }

  // Replaces the rows that a response has, and the roster's points, findings, undo and redo.
  function patch(html) {
    if (!document.getElementById("roster-form")) return undefined; // another page is shown by now
    const page = requests.parse(html);
    document.getElementById("messages").replaceChildren(...(page.getElementById("messages")?.childNodes ?? []));
    following.hideMessagesLater();
    const sprite = document.querySelector("main .sprite"); // that of the panel, with the same ids, goes with it
    page.querySelectorAll(".sprite symbol[id]").forEach((each) => sprite.children[each.id] || sprite.append(each));
    const fresh = page.getElementById("grid");
    if (!grid()) return reload();
    for (const body of [...fresh?.tBodies ?? []]) {
      const mine = document.getElementById(body.id);
      if (!mine) { grid().append(body); continue; }
      const [head, ...changed] = body.rows;
      if (!mine.rows[0].contains(document.activeElement)) mine.rows[0].replaceWith(head);
      changed.filter((row) => row.id).forEach((row) => replaceRow(mine, row));
    }
    selection.showCount();
    if (fresh) following.followTo(fresh.dataset.revision);
    const [into, choices] = [document, page].map((each) => each.querySelector('.quick [name="in"]'));
    if (choices && choices.options.length !== into?.options.length) {
      if (into) into.replaceWith(choices);
      else document.querySelector(".line-field").after(choices);
    }
    const summary = page.querySelector(".summary");
    // its bars move to their new places
    if (summary) htmx.swap(".summary", summary.outerHTML, { swapStyle: "outerHTML", settleDelay: 20 });
    for (const part of ["#guide", "#undo", "#redo", "#fill-rest"]) requests.replace(part, page);
    replaceSide(page);
    following.hideWhereSeen();
    return undefined;
  }

  // The column beside the table stays scrolled where it is, and its points by formation unfolded.
  function replaceSide(page) {
    const [old, fresh] = [document, page].map((each) => each.querySelector(".side-column"));
    const [shares, mine] = [fresh, old].map((each) => each.querySelector("details.shares"));
    if (shares && mine) shares.open = mine.open;
    const { scrollTop } = old;
    requests.replace(".side-column", page);
    fresh.scrollTop = scrollTop;
  }

  const reload = () => requests.loadMain("GET", location.pathname + location.search);

  function replaceRow(body, row) {
    const old = document.getElementById(row.id);
    if (!old) {
      body.querySelector(".none")?.remove();
      row.classList.add("added");
      body.append(row);
      return;
    }
    row.classList.toggle("open", old.matches(".open"));
    row.querySelector("[name=pick]").checked = old.querySelector("[name=pick]").checked;
    const [typed, quantity] = [old, row].map(quantityOf);
    if (typed.value !== typed.defaultValue) quantity.value = typed.value;
    quantity.classList.toggle("unsaved", quantity.value !== quantity.defaultValue);
    const active = cellOf(document.activeElement);
    const at = active?.parentElement === old ? active.cellIndex : -1;
    const place = { tag: document.activeElement.tagName, isCell: document.activeElement === active };
    const editing = [...old.querySelectorAll(".editing")].map((cell) => [cell.cellIndex, cell.querySelector("[data-cell-field]"), cell.querySelector(".bad")]);
    const { selectionStart, selectionEnd } = document.activeElement;
    const after = (openedRow.lineOf(old) ?? old).nextElementSibling;
    if (after?.matches(".receipt-row")) after.remove(); // of the values before
    old.replaceWith(row);
    openedRow.refresh(row);
    for (const [index, field, error] of editing) if (field) showField(row.cells[index], field, error);
    if (at < 0) return;
    const inside = editing.find(([index]) => index === at)?.[1] || (place.isCell ? null : row.cells[at].querySelector(`${place.tag}:not([type=hidden])`));
    focusOn(inside || row.cells[at]);
    if (inside && typeof selectionStart === "number" && inside.type === "text") inside.setSelectionRange(selectionStart, selectionEnd);
  }

  function focusOn(element) {
    if (element.matches("td, th")) element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // ---- one cell

  const contents = new WeakMap(); // of each open cell: the nodes that it has when it is closed

  function showField(cell, field, error) {
    contents.set(cell, [...cell.childNodes]);
    cell.classList.add("editing");
    const under = Object.assign(document.createElement("span"), { className: "under" }); // keeps the width of the column
    under.append(...contents.get(cell));
    cell.replaceChildren(under, field, ...(error ? [error] : []));
  }

  const valueIn = (cell) => fieldOf(cell) === "name" ? cell.querySelector("a").textContent : cell.dataset.v ?? "";

  function openCell(cell, typed) {
    const name = fieldOf(cell);
    if (cell.matches(".qty")) return focusAndSelect(cell.querySelector(".quantity"));
    if (!name || cell.matches(".editing")) return focusOn(cell.querySelector("[data-cell-field]") || cell);
    const field = document.querySelector(`template[data-field="${name}"]`).content.firstElementChild.cloneNode(true);
    const value = valueIn(cell);
    if (field.tagName === "SELECT" && ![...field.options].some((each) => each.value === value)) field.add(new Option(cell.textContent, value));
    field.dataset.cellField = name;
    field.dataset.expected = value;
    field.removeAttribute("name"); // the form around it does not send it
    field.autocomplete = "off";
    field.value = value;
    if (field.value !== value) return focusOn(cell); // it has line ends, which this field would lose
    showField(cell, field);
    focusAndSelect(field);
    if (typed) field.value = typed;
  }

  function focusAndSelect(field) {
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "nearest" });
    field.select?.();
  }

  function closeCell(cell) {
    cell.replaceChildren(...contents.get(cell));
    cell.classList.remove("editing");
  }

  const isUnchanged = ({ value, dataset, validity }) => dataset.sent === undefined && value === dataset.expected && !validity.badInput;

  function commit(field) {
    const cell = cellOf(field);
    if (!cell?.matches(".editing") || field.dataset.sent === field.value) return;
    if (field.validity.badInput) return showError(cell, field, grid().dataset.bad); // its value is empty
    if (isUnchanged(field)) return closeCell(cell);
    const [row, index, value] = [cell.parentElement.id, cell.cellIndex, field.value];
    const { cell: url, revision } = grid().dataset;
    field.dataset.sent = value;
    requests.enqueue(async () => {
      if (field.dataset.sent !== value) return; // changed since, or the value before it was refused
      const answer = await save(url, { element: row.slice(2), field: field.dataset.cellField, expected: field.dataset.expected, value, opened_version: revision });
      const now = document.getElementById(row)?.cells[index];
      const current = now?.querySelector("[data-cell-field]");
      if (answer.html !== undefined) {
        field.dataset.expected = value;
        if (field.dataset.sent === value) delete field.dataset.sent;
        if (current && current.value === value) { // typed on meanwhile: it stays open
          const focused = document.activeElement === current;
          closeCell(now);
          if (focused) focusOn(now);
        }
        patch(answer.html);
      } else if (current && answer.error) {
        delete current.dataset.sent;
        const note = showError(now, current, answer.error);
        if (answer.now === undefined || answer.status !== 409) return;
        current.dataset.expected = answer.now;
        askWhose(note, () => commit(current), () => takeTheirs(now));
      }
    });
  }

  function showError(cell, field, error) {
    cell.querySelector(".bad")?.remove();
    const { id } = openedRow.rowOf(cell);
    const note = Object.assign(document.createElement("p"), { className: "bad", id: `${id}-error`, textContent: error });
    note.setAttribute("role", "alert");
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", note.id);
    cell.append(note);
    return note;
  }

  // Somebody else has changed the field: two buttons ask whose value to save. Until then nothing is saved.
  function askWhose(note, keepMine, takeTheirs) {
    const { keep, take } = grid().dataset;
    const buttons = [[keep, keepMine], [take, takeTheirs]].map(([text, choose]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-sm btn-outline-secondary", textContent: text });
      button.addEventListener("click", choose);
      return button;
    });
    const place = Object.assign(document.createElement("span"), { className: "conflict" });
    place.append(...buttons);
    note.append(place);
  }

  const hasConflict = (cell) => cell?.querySelector(".conflict");

  function takeTheirs(cell) {
    closeCell(cell);
    focusOn(cell);
    reload();
  }

  document.addEventListener("focusout", ({ target }) => { if (target.dataset?.cellField && !hasConflict(cellOf(target))) commit(target); });
  document.addEventListener("change", ({ target }) => { if (target.dataset?.cellField && target.tagName === "SELECT" && pointing) commit(target); });
  let pointing = ""; // by what: "mouse", "touch" or "pen", until a key is pressed
  document.addEventListener("pointerdown", ({ pointerType }) => { pointing = pointerType; }, true);

  // By touch all of a row opens it, its name too: the panel opens by the Edit of its line.
  document.addEventListener("click", (event) => {
    const { target } = event;
    const row = target.closest?.("#grid tbody > tr[id]");
    if (row && pointing === "touch" && target.closest("th a") && openedRow.toggle(row, true)) return event.preventDefault();
    if (!row || target.closest("a, button, input, select, label, textarea, summary, .tools") || getSelection().type === "Range") return;
    if (openedRow.toggle(row, pointing === "touch")) return;
    const cell = cellOf(target);
    if (fieldOf(cell) && fieldOf(cell) !== "name") openCell(cell);
    else focusOn(cell);
  });

  // ---- a quantity, or a choice of an opened row: shown at once, saved in its turn

  const quantityOf = (row) => row.querySelector(".quantity");
  const changes = new Map(); // those that are not saved, by row and field; `lost` are values whose answers did not come

  function change({ id }, name, wanted, shown) {
    const key = `${id} ${name}`;
    if (!changes.has(key)) changes.set(key, { saved: shown, lost: new Set() });
    const it = Object.assign(changes.get(key), { wanted });
    if (it.waits) return; // what is changed again meanwhile is saved once
    it.waits = true;
    const { cell: url, revision } = grid().dataset;
    requests.enqueue(async () => {
      it.waits = false;
      const { wanted: value, saved: expected } = it;
      if (value === expected && !it.lost.size) { changes.delete(key); return; }
      const answer = await save(url, { element: id.slice(2), field: name, expected, value, opened_version: revision });
      if (answer.html !== undefined) {
        Object.assign(it, { saved: value, lost: new Set() });
        if (it.wanted === value) changes.delete(key);
        showSaved(id, name, value, answer.html);
      } else if (it.lost.delete(answer.now)) {
        it.saved = answer.now;
        change({ id }, name, it.wanted);
      } else {
        if (!answer.status) it.lost.add(value);
        showUnsaved(document.getElementById(id), name, answer);
      }
    });
  }

  const changeQuantity = (field) => change(field.closest("tr"), "quantity", field.value, field.defaultValue);
  const wantedOf = ({ id }, name) => changes.get(`${id} ${name}`)?.wanted;
  document.addEventListener("change", ({ target }) => { if (target.matches("#grid .quantity")) changeQuantity(target); });

  function showSaved(id, name, value, html) {
    const row = document.getElementById(id);
    if (row && name === "quantity") quantityOf(row).defaultValue = value;
    patch(html);
    const form = document.getElementById("roster-form");
    if (form && !form.querySelector(".quantity.unsaved")) drafts.remove(form);
  }

  function showUnsaved(row, name, { error, status, now }) {
    if (!row) return;
    const field = openedRow.fieldOf(row, name) ?? quantityOf(row);
    const again = () => change(row, name, wantedOf(row, name));
    drafts.keep(row.closest("form"));
    if (!status) { drafts.showNote(field, error, again, requests.texts.again); return; }
    const note = showError(field.closest("td"), field, error);
    if (status !== 409 || now === undefined) return;
    changes.get(`${row.id} ${name}`).saved = now;
    askWhose(note, again, () => { forgetChange(row, name); reload(); });
  }

  function forgetChange(row, name) {
    changes.delete(`${row.id} ${name}`);
    if (name === "quantity") quantityOf(row).value = quantityOf(row).defaultValue;
    openedRow.refresh(row);
  }

  // ---- keys

  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const cellsOf = (row) => [...row.cells].filter((cell) => !cell.matches(".pick, .tools") && cell.offsetParent);

  function neighbor(cell, [down, right]) {
    if (right) return cellsOf(cell.parentElement)[cellsOf(cell.parentElement).indexOf(cell) + right];
    const row = rows()[rows().indexOf(cell.parentElement) + down];
    return row?.cells[cell.cellIndex];
  }

  function nextField(cell, by) {
    const all = rows().flatMap((row) => cellsOf(row).filter((each) => fieldOf(each) || each.matches(".qty")));
    return all[all.indexOf(cell) + by];
  }

  document.addEventListener("keydown", (event) => {
    pointing = "";
    const cell = cellOf(event.target);
    if (!cell || event.ctrlKey || event.metaKey || event.isComposing) return;
    const handle = event.target.dataset.cellField ? onFieldKey : event.target.matches(".quantity") ? onQuantityKey : onRowKey;
    if (handle(event, cell)) event.preventDefault();
  });

  function onFieldKey(event, cell) {
    const field = event.target;
    if (event.key === "Escape" && hasConflict(cell)) { takeTheirs(cell); return true; }
    if (event.key === "Escape") { closeCell(cell); focusOn(cell); return true; }
    if (event.key === "Tab") {
      if (hasConflict(cell)) return false;
      const next = nextField(cell, event.shiftKey ? -1 : 1);
      if (!next) return false;
      openCell(next); // leaving the field saves it
      return true;
    }
    if (event.key === "Enter") {
      if (isUnchanged(field)) { closeCell(cell); focusOn(cell); } else commit(field);
      return true;
    }
    return false;
  }

  function onQuantityKey(event, cell) {
    if (event.key === "Escape") {
      event.target.value = event.target.defaultValue;
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
      focusOn(cell);
    }
    if (event.key === "Escape" || event.key === "Enter") { changeQuantity(event.target); return true; }
    const to = event.key in ARROWS && !ARROWS[event.key][1] && neighbor(cell, ARROWS[event.key]);
    if (to) openCell(to);
    return Boolean(to);
  }

  const clickAction = (row, action) => row.querySelector(`[formaction$="/element/${action}"]`)?.click();
  const shortcuts = {
    e: (row) => row.querySelector("th a").click(),
    d: (row) => clickAction(row, "duplicate"),
    s: (row) => clickAction(row, "split"),
    x: (row) => selection.toggle(row),
    a: () => document.getElementById("line")?.focus(),
    "/": () => shortcuts.a(),
    c: () => { if (selection.ids().length) selection.showFields(true); },
    u: () => clickStep("undo"),
  };
  const clickStep = (name) => document.querySelector(`button[form="${name}"]`)?.click();
  const shortcutsOn = () => localStorage.getItem("shortcuts") !== "off";

  function onRowKey(event, cell) {
    const row = cell.parentElement;
    if (event.altKey) {
      const move = { ArrowUp: "up", ArrowDown: "down" }[event.key];
      if (move) clickAction(row, move);
      return Boolean(move);
    }
    if (event.key in ARROWS) {
      const to = neighbor(cell, ARROWS[event.key]);
      if (to && event.shiftKey) { selection.set(row, true); selection.set(to.parentElement, true); }
      if (to) focusOn(to.querySelector(".quantity") && ARROWS[event.key][0] && event.target.matches(".quantity") ? to.querySelector(".quantity") : to);
      return Boolean(to);
    }
    const own = event.target === cell;
    if (event.key === "F2" || (event.key === "Enter" && own)) {
      if (fieldOf(cell) || cell.matches(".qty")) openCell(cell);
      else row.querySelector("th a").click();
      return true;
    }
    if (event.key === " " && own) { selection.toggle(row); return true; }
    if (event.key === "Delete") { clickAction(row, "delete"); return true; }
    if (event.key === "Escape" && selection.ids().length) { selection.clear(); return true; }
    if (own && /^[0-9]$/.test(event.key) && (fieldOf(cell) || cell.matches(".qty"))) { openCell(cell, event.key); return !cell.matches(".qty"); }
    if (!shortcutsOn() || event.shiftKey || !(event.key in shortcuts)) return false;
    shortcuts[event.key](row);
    return true;
  }

  // As everywhere: in a field that is typed in the browser's own.
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, shiftKey } = event;
    const step = { z: shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
    if (!step || !(ctrlKey || metaKey) || isField(target) || document.querySelector("dialog[open]") || !grid()) return;
    event.preventDefault();
    clickStep(step);
  });

  // ---- the help on keys

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!shortcutsOn() || isField(target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "?") document.getElementById("keys")?.showModal();
    if (!["a", "/", "c"].includes(key) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    shortcuts[key]();
  });
  document.addEventListener("click", ({ target }) => { if (target.closest("[data-keys]")) document.getElementById("keys").showModal(); });
  document.addEventListener("change", ({ target }) => { if (target.id === "shortcuts") localStorage.setItem("shortcuts", target.checked ? "on" : "off"); });
  document.addEventListener("toggle", ({ target }) => { if (target.id === "keys") document.getElementById("shortcuts").checked = shortcutsOn(); }, true);

  const isPointing = () => Boolean(pointing);

  return { rows, isField, isPointing, save, patch, reload, changeQuantity, change, wantedOf };
})();
