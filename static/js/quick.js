// Quick add: while a line is typed the site says how it is read; Enter adds it, and the next one can be typed.
(() => {
  const field = () => document.getElementById("line");
  const reading = () => document.getElementById("reading");
  const choices = () => [...reading().querySelectorAll("[name=reading]")];
  const target = () => document.querySelector('.quick [name="in"]')?.value ?? "";
  let waiting, asked = 0;

  function show(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    reading().replaceChildren(...page.getElementById("reading").childNodes);
    mark(0);
  }

  // What is understood is underlined in the line itself, as long as it is what was read.
  function mark(number) {
    const parts = reading().querySelector(`[data-marks="${number}"]`)?.content;
    const marks = document.querySelector(".marks");
    marks.replaceChildren(...(parts?.textContent === field().value ? [parts.cloneNode(true)] : []));
    marks.scrollLeft = field().scrollLeft;
  }

  async function read() {
    const number = asked += 1;
    const query = new URLSearchParams({ line: field().value, in: target() });
    const response = await fetch(`${field().closest(".quick").dataset.read}?${query}`, { headers: { "X-Part": "1" } }).catch(() => null);
    if (response?.ok && number === asked) show(await response.text());
  }

  document.addEventListener("input", (event) => {
    if (event.target !== field()) return;
    clearTimeout(waiting);
    asked += 1;
    document.querySelector(".marks").replaceChildren();
    waiting = setTimeout(read, 120);
  });
  // Several lines: the page of a list shows how it reads them.
  document.addEventListener("paste", (event) => {
    const text = event.target === field() ? event.clipboardData.getData("text/plain").trim() : "";
    if (!text.includes("\n")) return;
    event.preventDefault();
    const form = Object.assign(document.createElement("form"), { method: "post", action: document.querySelector("[data-paste]").href });
    form.append(document.querySelector("#quick [name=csrfmiddlewaretoken]").cloneNode(), Object.assign(document.createElement("textarea"), { name: "text", value: text }));
    document.body.append(form);
    form.submit();
  });
  document.addEventListener("scroll", ({ target }) => { if (target === field()) document.querySelector(".marks").scrollLeft = target.scrollLeft; }, true);

  let adding = Promise.resolve();
  function add() {
    const line = field().value;
    if (!line.trim()) return;
    const values = { line, in: target() };
    const chosen = choices().find((each) => each.checked);
    if (choices().length && !chosen && document.querySelector(".marks").textContent === line) return; // choose first
    if (chosen) values.reading = chosen.value;
    clearTimeout(waiting);
    asked += 1;
    adding = adding.then(() => send(values));
  }

  async function send(values) {
    const { html, error, refused } = await window.rosterGrid.post(document.getElementById("quick").action, values);
    if (!field()) return;
    if (refused) show(refused);
    if (error) reading().replaceChildren(Object.assign(document.createElement("p"), { className: "bad", textContent: error }));
    if (html === undefined) return;
    field().value = field().value.startsWith(values.line) ? field().value.slice(values.line.length) : field().value;
    reading().replaceChildren();
    document.querySelector(".marks").replaceChildren();
    window.rosterGrid.patch(html);
    if (field().value) read();
  }

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "quick") return;
    event.preventDefault();
    add();
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
})();
