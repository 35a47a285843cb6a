// Quick add: while a line is typed the site shows how it is parsed; Enter adds it, and the next one can be typed.
(() => {
  const field = () => document.getElementById("line");
  const preview = () => document.getElementById("line-preview");
  const parses = () => [...preview().querySelectorAll("[name=parse]")];
  const formation = () => document.querySelector('.quick [name="in"]')?.value ?? "";
  let waiting;
  let latest = 0; // the number of the last request: answers to others are too late

  // What is wrong with a line is shown when it was to be added, not while it is typed.
  const showErrors = (on) => preview().classList.toggle("asked", on);

  function showPreview(html) {
    preview().replaceChildren(...requests.parse(html).getElementById("line-preview").childNodes);
    underline(0);
    if (document.activeElement === field()) preview().scrollIntoView({ block: "nearest" });
  }

  // Words that are parsed are underlined in the line itself, as long as it is the one that was sent.
  function underline(number) {
    const parts = preview().querySelector(`[data-marks="${number}"]`)?.content;
    const marks = document.querySelector(".marks");
    marks.replaceChildren(...(parts?.textContent === field().value ? [parts.cloneNode(true)] : []));
    marks.scrollLeft = field().scrollLeft;
    showTyped(preview().querySelectorAll("[data-share]")[number]);
  }

  // What the line would add, in the bar of the points used, and beside what is left.
  function showTyped(price) {
    const [bar, text] = document.querySelectorAll(".summary .typed");
    if (!text) return; // no points limit
    bar.value = price?.dataset.share ?? 0;
    text.hidden = !price;
    text.lastElementChild.textContent = price?.lastElementChild.textContent;
  }

  async function loadPreview() {
    const number = latest += 1;
    const query = new URLSearchParams({ line: field().value, in: formation() });
    const response = await requests.send(`${field().closest(".quick").dataset.preview}?${query}`, { headers: { "X-Part": "1" } });
    if (!response?.ok || number !== latest) return;
    showPreview(response.content);
    if (field().value === finished && parses().length && !parses().some((each) => each.checked)) parses()[0].checked = true; // the copy
    if (document.activeElement === field() && !field().hasAttribute("aria-activedescendant")) suggest(field()); // names
  }

  document.addEventListener("input", (event) => {
    if (event.target !== field()) return;
    clearTimeout(waiting);
    latest += 1;
    document.querySelector(".marks").replaceChildren();
    showErrors(false);
    preview().querySelector(".unsaved-note")?.remove(); // it is another line now
    waiting = setTimeout(loadPreview, 120);
  });
  // A page that is replaced keeps the line, and shows again how it is parsed.
  document.addEventListener("htmx:afterSettle", () => { if (field()?.value && !preview().childElementCount) loadPreview(); });
  // Of another game, the line is another one.
  document.addEventListener("change", ({ target }) => {
    const { example } = target.matches(".quick [name=in]") ? target.selectedOptions[0].dataset : {};
    if (!example) return;
    field().placeholder = example;
    if (field().value) loadPreview();
  });
  // The formation that was chosen or added to last stays selected, until there is another number of them.
  const CHOICE = "formation";
  const choiceOf = (option) => `${option.value} ${option.parentElement.length}`;
  const keepFormation = () => { if (formation()) sessionStorage.setItem(CHOICE, choiceOf(document.querySelector(".quick [name=in]").selectedOptions[0])); };
  function selectFormation() {
    const last = sessionStorage.getItem(CHOICE);
    document.querySelectorAll(".quick [name=in] option").forEach((each) => { if (choiceOf(each) === last) each.selected = true; });
  }
  selectFormation();
  document.addEventListener("htmx:afterSettle", selectFormation);
  document.addEventListener("change", ({ target }) => { if (target.matches(".quick [name=in]")) keepFormation(); });
  // Links below the table to the form of a new element are for the formation that is selected beside the line.
  document.addEventListener("click", ({ target }) => {
    const link = formation() && target.closest?.('#roster-form a[href*="/element?in="]:not(#grid a)');
    if (link) link.href = link.href.replace(/in=[^&#]*/, `in=${formation()}`);
  }, true);
  // Several lines, or several quantities on one, go to the page that parses a list.
  document.addEventListener("paste", (event) => {
    const text = event.target === field() ? event.clipboardData.getData("text/plain").trim() : "";
    if (!/\n|[,;]\s+\d+\s*[x×]?\s/.test(text) || !document.querySelector("[data-paste]")) return;
    event.preventDefault();
    const form = Object.assign(document.createElement("form"), { method: "post", action: document.querySelector("[data-paste]").href });
    form.append(document.querySelector("#quick [name=csrfmiddlewaretoken]").cloneNode(), Object.assign(document.createElement("textarea"), { name: "text", value: text }));
    document.body.append(form);
    form.submit();
  });
  document.addEventListener("scroll", ({ target }) => { if (target === field()) document.querySelector(".marks").scrollLeft = target.scrollLeft; }, true);

  // ---- adding: the field is free at once for the next line, and lines are sent one after another

  const queue = () => document.getElementById("queue");
  let refusedLine; // its text is selected in the field: typing replaces it, and it waits below, with why
  const reasonIn = (part) => (part.querySelector(":scope > .bad") ?? part.querySelector("legend b, .missing b, .bad"))?.textContent ?? "";
  function submitLine(anyway) {
    const line = field().value;
    if (!line.trim()) return;
    const values = { line, in: formation() };
    const chosen = parses().find((each) => each.checked);
    if (parses().length && document.querySelector(".marks").textContent === line) {
      if (parses().length === 1) parses()[0].checked = true; // Enter again adds it
      if (!chosen) return refuseLine(line, reasonIn(preview())); // choose first
      values.parse = chosen.value;
    }
    if (anyway) values.anyway = "1";
    sendLine(values);
  }

  function sendLine(values) {
    if (field().value === values.line) setLine("");
    const item = Object.assign(document.createElement("p"), { textContent: values.line });
    queue().append(item);
    requests.enqueue(() => saveLine(values, item));
  }

  // With `sendAgain` it is not the line that is wrong.
  function refuseLine(line, reason, sendAgain) {
    const corrections = [...preview().querySelectorAll(".chips [name=line]")].map(({ value }) => value);
    refusedLine = { line, reason, sendAgain, corrections };
    showErrors(true);
    closeCompletions(field()); // the arrows choose a parse now
    field().select();
  }

  document.addEventListener("beforeinput", ({ target, inputType }) => {
    if (target !== field() || !refusedLine || inputType === "insertLineBreak") return; // Enter replaces nothing
    const replaced = target.selectionStart === 0 && target.selectionEnd === target.value.length && inputType.startsWith("insert");
    if (replaced && target.value === refusedLine.line) setAside(refusedLine);
    refusedLine = null;
  });

  function setAside({ line, reason, sendAgain, corrections = [] }) {
    const item = document.getElementById("set-aside").content.firstElementChild.cloneNode(true);
    item.corrections = corrections;
    item.querySelector("b").textContent = line;
    item.querySelector("span").textContent = reason;
    const [edit, again, dismiss] = item.querySelectorAll("button");
    const remove = () => { item.remove(); countAsides(); };
    edit.addEventListener("click", () => {
      remove();
      if (field().value) setAside({ line: field().value, reason: "" });
      setLine(line);
      field().focus();
      showErrors(true);
      loadPreview();
    });
    again.hidden = !sendAgain;
    again.addEventListener("click", () => { remove(); sendAgain(); });
    dismiss.addEventListener("click", () => { remove(); field().focus({ preventScroll: true }); });
    asides().firstElementChild.after(item);
    countAsides();
  }

  // One line that was not added stands there itself, several are folded.
  const asides = () => queue().querySelector(".asides");
  function countAsides() {
    const { length } = asides().querySelectorAll(".aside");
    asides().hidden = !length;
    asides().open = length === 1;
    asides().querySelector("summary b").textContent = length;
  }
  document.addEventListener("click", ({ target }) => {
    if (!target.closest?.(".asides > .btn")) return;
    asides().querySelectorAll(".aside").forEach((each) => each.remove());
    countAsides();
    field().focus({ preventScroll: true });
  });

  function setLine(line) {
    clearTimeout(waiting);
    latest += 1;
    field().value = line;
    showErrors(false);
    preview().replaceChildren();
    underline(0);
  }

  // A line that was not added comes back into the field, or waits below it while another one is typed.
  async function saveLine(values, item) {
    const { html, error, refused } = await rosterGrid.save(document.getElementById("quick").action, values);
    if (!field()) return;
    const sendAgain = error && (() => { sendLine(values); field().focus({ preventScroll: true }); }); // the same request
    item.remove();
    if (html !== undefined) {
      rosterGrid.patch(html);
      keepFormation();
      document.querySelector(".quick-line > .undo").hidden = false;
      asides().querySelectorAll(".aside").forEach((each) => { if (each.corrections.includes(values.line)) each.remove(); });
      countAsides();
    } else if (!field().value) {
      setLine(values.line);
      if (refused) {
        showPreview(refused);
        if (parses()[values.parse]) parses()[values.parse].checked = true;
      } else drafts.showNote(preview(), error, sendAgain, requests.texts.again);
      refuseLine(values.line, error ?? reasonIn(preview()), sendAgain);
    } else setAside({ line: values.line, reason: error ?? reasonIn(requests.parse(refused)), sendAgain });
  }

  // A parse that is clicked is added; the arrows choose one, also in its group.
  document.addEventListener("click", (event) => {
    const label = event.detail ? event.target.closest?.("#line-preview label") : null;
    if (!label) return;
    event.preventDefault();
    label.control.checked = true;
    document.getElementById("quick").requestSubmit();
  });

  // What a line was only the name of has its stats in the panel now.
  document.addEventListener("panel:saved", ({ detail }) => {
    if (preview()?.querySelector(`a[href="${CSS.escape(detail)}"]`)) setLine("");
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "quick" || "page" in event.target.dataset) return; // the form of a page that is not the roster's
    event.preventDefault();
    closeCompletions(field());
    const { name, value } = event.submitter ?? {};
    if (name === "line") setLine(value); // completed by a type
    submitLine(name === "anyway");
    field().focus({ preventScroll: true });
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.target !== field() || event.isComposing) return;
    if (event.key === "Escape") { field().value = ""; loadPreview(); }
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !parses().length) return;
    event.preventDefault();
    const at = parses().findIndex((each) => each.checked);
    const next = parses()[(at < 0 && by < 0 ? parses().length : at + by + parses().length) % parses().length] ?? parses().at(-1);
    next.checked = true;
    underline(next.value);
  });
  document.addEventListener("change", ({ target }) => { if (target.name === "parse") { underline(target.value); field().focus({ preventScroll: true }); } });

  // ---- words that begin as the one before the caret: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/

  const completionList = () => document.getElementById("completions");
  const completionItems = () => [...completionList()?.children ?? []];
  const takesWords = (target) => target === field() || target.matches?.(".words[data-cell-field]");
  // What is typed of a label, of which several words may be there: "armored cav".
  function typedOf(label, text) {
    const words = text.split(/(?<=[\s,~:"])(?=[^\s,~:"])/).slice(-label.split(" ").length);
    while (words.length && !label.toLowerCase().startsWith(words.join("").toLowerCase())) words.shift();
    return words.join("");
  }

  // Words of the game that begin so, then those with a word in their label that does; corrections and names of elements
  // for a whole line. Where there is something to choose or to correct below the line, that is the list.
  function completions(input) {
    const text = input.value.slice(0, input.selectionStart);
    const typed = /[^\s,~:"]*$/.exec(text)[0].toLowerCase();
    const begins = (each) => each.toLowerCase().startsWith(typed);
    const inLine = input === field();
    if (inLine && (parses().length > 1 || preview().matches(".asked"))) return [];
    const known = [...document.querySelectorAll(`#keys .words > div${inLine ? "" : "[data-option]"}`)]
      .map((each) => ({ word: each.querySelector("b").textContent, label: each.querySelector("dd").textContent }));
    const isWhole = typed.length < 2 || known.some(({ word }) => word.toLowerCase() === typed);
    const words = isWhole ? [] : known
      .filter(({ word, label }) => [word, ...label.split(/[\s-]+/)].some(begins))
      .map((each) => ({ ...each, typed: [typedOf(each.label, text), typed].find((some) => some.length >= typed.length) }))
      .sort((one, other) => other.typed.length - one.typed.length || begins(other.word) - begins(one.word) || begins(other.label) - begins(one.label))
      .filter(({ typed }, _, [{ typed: most }]) => typed.length === most.length);
    const names = inLine ? [...preview().querySelectorAll("[data-named]")] : [];
    return [...words.slice(0, names.length ? 2 : 3), ...names.map((each) => ({ word: each.dataset.named, label: each.dataset.of, line: each.dataset.line }))].slice(0, 3);
  }

  let finished; // the line that a name completed

  function suggest(input) {
    const words = input.value === finished ? [] : completions(input);
    closeCompletions(input);
    if (!words.length) return;
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "true");
    const box = Object.assign(document.createElement("ul"), { id: "completions" });
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", input.getAttribute("aria-label"));
    box.append(...words.map(({ word, label, typed, line }, number) => {
      const item = Object.assign(document.createElement("li"), { id: `completion-${number}`, textContent: word });
      item.setAttribute("role", "option");
      Object.assign(item.dataset, line ? { line } : { word, typed });
      if (label.toLowerCase() !== word.toLowerCase()) item.append(" ", Object.assign(document.createElement("small"), { textContent: label }));
      return item;
    }));
    input.setAttribute("aria-controls", box.id);
    (input === field() ? preview() : input).after(box);
    if (input !== field()) box.scrollIntoView({ block: "nearest" });
  }

  function closeCompletions(input) {
    completionList()?.remove();
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function activate(input, number) {
    completionItems().forEach((item, each) => item.setAttribute("aria-selected", String(each === number)));
    input.setAttribute("aria-activedescendant", completionItems()[number].id);
  }

  function complete(input, { dataset: { word, typed, line } }) {
    const at = input.selectionStart;
    if (line) input.value = finished = line;
    else input.setRangeText(`${word} `, at - typed.length, at, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("input", ({ target }) => { if (takesWords(target)) suggest(target); });
  document.addEventListener("focusout", ({ target }) => { if (takesWords(target)) closeCompletions(target); });
  document.addEventListener("keydown", (event) => {
    if (!takesWords(event.target) || !completionList() || event.isComposing) return;
    const active = completionItems().findIndex((item) => item.getAttribute("aria-selected") === "true");
    const last = completionItems().length - 1;
    if (event.key === "ArrowDown") activate(event.target, active === last ? 0 : active + 1);
    else if (event.key === "ArrowUp") activate(event.target, active < 1 ? last : active - 1);
    else if (["Enter", "Tab"].includes(event.key) && active >= 0) complete(event.target, completionItems()[active]);
    else if (event.key === "Escape") closeCompletions(event.target);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation(); // these keys choose a parse, add the line or save the cell without a list
  }, true);
  // Pressed, these leave the focus in the field: a list that closed then would move them from under the finger.
  document.addEventListener("mousedown", (event) => { if (event.target.closest("#completions, .quick-line .btn")) event.preventDefault(); });
  document.addEventListener("click", ({ target }) => {
    const item = target.closest("#completions > li");
    if (item) complete(item.closest(".quick") ? field() : item.parentElement.previousElementSibling, item);
  });
})();
