// Small conveniences. Every page works without them.
(() => {
  const SELECTED_ON_ARRIVAL = "[data-copy], [data-select]";
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(SELECTED_ON_ARRIVAL)) event.target.select();
  });
  if (document.activeElement.matches("[data-select]")) document.activeElement.select(); // by autofocus, before this script

  // Buttons that copy the text of the field before them.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copied]");
    if (!button) return;
    const field = button.previousElementSibling;
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // an address without https has no clipboard of its own
    }
    button.lastChild.textContent = ` ${button.dataset.copied}`;
  });

  // Buttons that hand the link before them to the device's own share sheet, where it has one.
  if (navigator.share) document.documentElement.classList.add("can-send");
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-send]");
    if (!button) return;
    const url = button.parentElement.querySelector("[data-copy]").value;
    navigator.share({ title: button.dataset.send, url }).catch(() => {}); // closed without a choice
  });

  // Times in the reader's own zone; of the last days as an age, such as "2 min ago". The exact time is in the title.
  const language = document.documentElement.lang;
  const shownAs = (options) => new Intl.DateTimeFormat(language, { hourCycle: "h23", ...options });
  const clock = shownAs({ hour: "2-digit", minute: "2-digit" });
  const exact = shownAs({ dateStyle: "medium", timeStyle: "short" });
  const ages = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]]; // in seconds
  const OLD = 7 * 86400;

  function ageOf(seconds) {
    const [unit, length] = UNITS.find(([, each]) => seconds >= each) || UNITS.at(-1);
    return ages.format(unit === "second" ? 0 : -Math.floor(seconds / length), unit).replace(". ", " ");
  }

  function showTimes() {
    document.querySelectorAll("time[data-ago], time[data-clock]").forEach((each) => {
      const at = new Date(each.dateTime);
      const seconds = (Date.now() - at) / 1000;
      each.title = exact.format(at);
      if ("clock" in each.dataset && seconds < 86400) each.textContent = clock.format(at);
      else if (seconds < OLD) each.textContent = ageOf(seconds);
    });
  }
  showTimes();
  setInterval(showTimes, 30_000);
  document.addEventListener("htmx:afterSwap", showTimes);

  // Menus close when something else is chosen, or on Escape.
  const OPEN_MENU = "details:is(.menu, .play-gauges)[open]";
  const closeMenus = (but) => document.querySelectorAll(OPEN_MENU).forEach((menu) => { if (menu !== but) menu.open = false; });
  document.addEventListener("click", (event) => closeMenus(event.target.closest(OPEN_MENU)));
  document.addEventListener("keydown", (event) => {
    const menu = document.activeElement && document.activeElement.closest(OPEN_MENU);
    if (event.key !== "Escape") return;
    closeMenus();
    if (menu) menu.querySelector("summary").focus();
  });

  // A changed number on the roster page is saved at once, as the hidden first button of its form would. While another
  // button of the form is pressed, its release is waited for, as the click saves the number too: a page that is replaced
  // meanwhile would lose the click.
  let pressedButton = null;
  let afterRelease = null;
  const release = () => {
    if (afterRelease) setTimeout(afterRelease); // the click comes first
    pressedButton = afterRelease = null;
  };
  document.addEventListener("pointerdown", ({ target }) => { pressedButton = target.closest("button"); }, true);
  document.addEventListener("pointerup", release, true);
  document.addEventListener("pointercancel", release, true);
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".quantity")) return;
    const { form } = target;
    const save = () => form.querySelector("[data-save-quantities]").click();
    if (pressedButton?.form !== form) save();
    else afterRelease = () => { if (form.isConnected && !form.matches(".htmx-request, [aria-busy]")) save(); };
  });

  // A live preview goes to its own address: htmx would take that of the button that was pressed last, and save.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target.id !== "preview") return;
    event.detail.path = event.detail.elt.getAttribute("hx-post");
    if (document.querySelector("[data-plotted][open]")) event.detail.parameters.plot = "1";
  });

  // The choice at a field that somebody else has changed too puts that value into the field; typing chooses one's own.
  document.addEventListener("change", ({ target }) => {
    const choice = target.closest(".conflict [type=radio]");
    if (choice) choice.form.elements[choice.closest(".conflict").dataset.field].value = choice.dataset.value;
  });
  document.addEventListener("input", ({ target }) => {
    const mine = target.name && target.form?.querySelector(`.conflict[data-field="${CSS.escape(target.name)}"] [value="mine"]`);
    if (mine) Object.assign(mine, { checked: true }).dataset.value = target.value;
  });

  let byKeyboard = false;
  document.addEventListener("keydown", () => { byKeyboard = true; }, true);
  document.addEventListener("pointerdown", () => { byKeyboard = false; }, true);

  // A part of the page that is replaced gives the focus back, and what was typed since its request was sent: to the same
  // control, or to the next one of its kind where that is gone, as the row of a deleted element.
  let replaced = null;
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
    opened = [...document.querySelectorAll("tr.open")].map((row) => [row.id, row.nextElementSibling?.id]);
  });
  // Rows stay open; the row after one that is gone opens in its place. htmx sets the classes of the answer last.
  let opened = [];
  const byId = (id) => document.getElementById(id);
  const reopen = () => opened.forEach(([id, next]) => (byId(id) ?? byId(next))?.classList.add("open"));
  document.addEventListener("htmx:afterSettle", reopen);
  document.addEventListener("htmx:afterSwap", () => {
    if (!replaced) return;
    const { focused, place, selection, typed, isEdited } = replaced;
    replaced = null;
    reopen();
    for (const old of typed) {
      const field = [...document.getElementsByName(old.name)].find((each) => same(each, old));
      if (!field) continue;
      if (/checkbox|radio/.test(old.type)) field.checked = old.checked;
      else field.value = old.value;
      field.classList.toggle("unsaved", field.matches(".quantity"));
    }
    if (!focused) return;
    if (document.activeElement === document.body) focusAgain(focused, place);
    const field = document.activeElement;
    if (!same(field, focused)) return;
    if (typeof selection[0] === "number") field.setSelectionRange(...selection);
    else if (field.type === "number" && isEdited) goToEnd(field); // its selection cannot be read
    else if (field.type === "number" && byKeyboard && !typed.includes(focused)) field.select(); // as Tab does
  });

  function goToEnd(field) {
    const { value } = field;
    field.value = "";
    field.value = value;
    edited = field;
  }

  function focusAgain(focused, place) {
    if (focused.matches("#grid :is(td, th)")) return focusCell(focused);
    const others = alike(focused);
    const row = document.getElementById(focused.closest("[id]")?.id);
    const first = matchMedia("(pointer: fine)").matches && document.querySelector("main [autofocus]"); // of another page
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

  // The receipt is collapsed where the preview covers the form, and print options and the guide on phones. Sections that somebody opens
  // or closes stay so when the preview is replaced.
  const narrow = matchMedia("(max-width: 61.99rem)");
  const FOLDED = ["receipt", "paper", "look", "own", "guide"];
  const folds = {};
  const foldNarrow = () => FOLDED.forEach((name) => { folds[name] = !narrow.matches; });
  const fold = () => document.querySelectorAll("[data-fold]").forEach((each) => {
    if (each.dataset.fold in folds) each.open = folds[each.dataset.fold];
  });
  foldNarrow();
  fold();
  narrow.addEventListener("change", () => {
    foldNarrow();
    fold();
  });
  document.addEventListener("click", (event) => {
    const details = event.target.closest("[data-fold] > summary")?.parentElement;
    if (details) folds[details.dataset.fold] = !details.open; // it turns after the click
  });
  document.addEventListener("htmx:afterSwap", fold);
})();
