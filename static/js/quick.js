// Quick add: while a line is typed the site shows how it is parsed; Enter adds it, and the next one can be typed.
(() => {
  const field = () => document.getElementById("line");
  const reading = () => document.getElementById("reading");
  const choices = () => [...reading().querySelectorAll("[name=reading]")];
  const target = () => document.querySelector('.quick [name="in"]')?.value ?? "";
  let waiting;
  let latest = 0; // the number of the last request: answers to others are too late

  function show(html) {
    reading().replaceChildren(...requests.parse(html).getElementById("reading").childNodes);
    mark(0);
    if (document.activeElement === field()) reading().scrollIntoView({ block: "nearest" });
  }

  // Words that are parsed are underlined in the line itself, as long as it is the one that was sent.
  function mark(number) {
    const parts = reading().querySelector(`[data-marks="${number}"]`)?.content;
    const marks = document.querySelector(".marks");
    marks.replaceChildren(...(parts?.textContent === field().value ? [parts.cloneNode(true)] : []));
    marks.scrollLeft = field().scrollLeft;
  }

  async function read() {
    const number = latest += 1;
    const query = new URLSearchParams({ line: field().value, in: target() });
    const response = await requests.send(`${field().closest(".quick").dataset.read}?${query}`, { headers: { "X-Part": "1" } });
    if (response?.ok && number === latest) show(response.content);
  }

  document.addEventListener("input", (event) => {
    if (event.target !== field()) return;
    clearTimeout(waiting);
    latest += 1;
    document.querySelector(".marks").replaceChildren();
    waiting = setTimeout(read, 120);
  });
  // Of another game, the line is another one.
  document.addEventListener("change", ({ target }) => {
    const { example } = target.matches(".quick [name=in]") ? target.selectedOptions[0].dataset : {};
    if (!example) return;
    field().placeholder = example;
    if (field().value) read();
  });
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
  let refusedLine = ""; // it is selected in the field: typing replaces it, and it waits below
  function add(anyway) {
    const line = field().value;
    if (!line.trim()) return;
    const values = { line, in: target() };
    const chosen = choices().find((each) => each.checked);
    if (choices().length && document.querySelector(".marks").textContent === line) {
      if (!chosen) return select(line); // choose first
      values.reading = chosen.value;
    }
    if (anyway) values.anyway = "1";
    put("");
    const item = Object.assign(document.createElement("li"), { textContent: line });
    queue().append(item);
    requests.enqueue(() => save(values, item));
  }

  function select(line) {
    refusedLine = line;
    field().select();
  }

  document.addEventListener("beforeinput", ({ target, inputType }) => {
    if (target !== field() || !refusedLine) return;
    const replaced = target.selectionStart === 0 && target.selectionEnd === target.value.length && inputType.startsWith("insert");
    if (replaced && target.value === refusedLine) setAside(refusedLine);
    refusedLine = "";
  });

  function setAside(line) {
    const item = Object.assign(document.createElement("li"), { className: "bad" });
    const back = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-link", textContent: line });
    item.append(`${queue().dataset.refused} `, back);
    queue().append(item);
  }

  function put(line) {
    clearTimeout(waiting);
    latest += 1;
    field().value = line;
    reading().replaceChildren();
    document.querySelector(".marks").replaceChildren();
  }

  // A line that was not added comes back into the field, or waits below it while another one is typed.
  async function save(values, item) {
    const { html, error, refused } = await rosterGrid.save(document.getElementById("quick").action, values);
    if (!field()) return;
    item.remove();
    if (html !== undefined) {
      rosterGrid.patch(html);
    } else if (!field().value) {
      put(values.line);
      if (refused) {
        show(refused);
        if (choices()[values.reading]) choices()[values.reading].checked = true;
        select(values.line);
      } else reading().replaceChildren(Object.assign(document.createElement("p"), { className: "bad", textContent: error }));
    } else setAside(values.line);
  }

  // A type for a line without one: it completes the line, which is then shown with its price.
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#reading .missing > button");
    if (!button) return;
    event.preventDefault();
    put(button.value);
    field().focus();
    read();
  });

  document.addEventListener("click", ({ target }) => {
    if (!target.matches?.("#queue button")) return;
    const line = target.textContent;
    if (field().value) target.textContent = field().value;
    else target.parentElement.remove();
    put(line);
    field().focus();
    read();
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "quick" || "page" in event.target.dataset) return; // the form of a page that is not the roster's
    event.preventDefault();
    add(event.submitter?.name === "anyway");
    field().focus({ preventScroll: true });
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.target !== field() || event.isComposing) return;
    if (event.key === "Escape") { field().value = ""; read(); }
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !choices().length) return;
    event.preventDefault();
    const at = choices().findIndex((each) => each.checked);
    const next = choices()[(at < 0 && by < 0 ? choices().length : at + by + choices().length) % choices().length] ?? choices().at(-1);
    next.checked = true;
    mark(next.value);
  });
  document.addEventListener("change", ({ target }) => { if (target.name === "reading") { mark(target.value); field().focus({ preventScroll: true }); } });

  // ---- words that begin as the one before the caret: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/

  const list = () => document.getElementById("completions");
  const items = () => [...list()?.children ?? []];
  const takesWords = (target) => target === field() || target.matches?.(".words[data-cell-field]");
  const typedIn = (input) => /[^\s,~:"]*$/.exec(input.value.slice(0, input.selectionStart))[0];

  function completions(typed) {
    const begins = (text) => text.toLowerCase().startsWith(typed.toLowerCase());
    return [...document.querySelectorAll("#keys .words > div")]
      .map((each) => [each.querySelector("b").textContent, each.querySelector("dd").textContent])
      .filter(([word, label]) => word.length > typed.length && (begins(word) || label.split(/\s+/).some(begins)))
      .sort(([one], [other]) => begins(other) - begins(one)).slice(0, 6);
  }

  function suggest(input) {
    const typed = typedIn(input);
    const words = typed.length > 1 ? completions(typed) : [];
    list()?.remove();
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", String(words.length > 0));
    input.removeAttribute("aria-activedescendant");
    if (!words.length) return;
    const box = Object.assign(document.createElement("ul"), { id: "completions" });
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-label", input.getAttribute("aria-label"));
    box.append(...words.map(([word, label], number) => {
      const item = Object.assign(document.createElement("li"), { id: `completion-${number}`, textContent: word });
      item.setAttribute("role", "option");
      item.dataset.word = word;
      if (label.toLowerCase() !== word) item.append(Object.assign(document.createElement("small"), { textContent: label }));
      return item;
    }));
    input.setAttribute("aria-controls", box.id);
    input.after(box);
    box.scrollIntoView({ block: "nearest" });
  }

  function activate(input, number) {
    items().forEach((item, each) => item.setAttribute("aria-selected", String(each === number)));
    input.setAttribute("aria-activedescendant", items()[number].id);
  }

  function complete(input, word) {
    const at = input.selectionStart;
    input.setRangeText(`${word} `, at - typedIn(input).length, at, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  document.addEventListener("input", ({ target }) => { if (takesWords(target)) suggest(target); });
  document.addEventListener("focusout", ({ target }) => { if (takesWords(target)) list()?.remove(); });
  document.addEventListener("keydown", (event) => {
    if (!takesWords(event.target) || !list() || event.isComposing) return;
    const active = items().findIndex((item) => item.getAttribute("aria-selected") === "true");
    const last = items().length - 1;
    if (event.key === "ArrowDown") activate(event.target, active === last ? 0 : active + 1);
    else if (event.key === "ArrowUp") activate(event.target, active < 1 ? last : active - 1);
    else if (event.key === "Enter" && active >= 0) complete(event.target, items()[active].dataset.word);
    else if (event.key === "Escape") { list().remove(); event.target.setAttribute("aria-expanded", "false"); }
    else return;
    event.preventDefault();
    event.stopImmediatePropagation(); // these keys choose a reading, add the line or save the cell without a list
  }, true);
  document.addEventListener("pointerdown", (event) => { if (event.target.closest("#completions")) event.preventDefault(); });
  document.addEventListener("click", ({ target }) => {
    const item = target.closest("#completions > [data-word]");
    if (item) complete(item.parentElement.previousElementSibling, item.dataset.word);
  });
})();
