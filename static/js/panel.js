// The editor of an element as a panel over the builder: its page, of which a dialog shows the editor. The links to it work
// without this script. The address is that of the page, so that Back closes the panel and a reload shows the page.
const editorPanel = (() => {
  const panel = Object.assign(document.createElement("dialog"), { id: "editor-panel" });
  panel.setAttribute("aria-labelledby", "editor-title");
  const formOf = () => panel.querySelector(".element-form");
  let builder = null; // address and title of the page behind, while the panel has an entry of its own in the history
  let opener; // the address of the link that opened it
  let added; // the row of the last element that was added before another one
  let unopened; // the notice of a link that could not be opened

  // Shows the editor of a page, with the focus on what is wrong, or where typing begins.
  function show(page) {
    if (isTouched) page.querySelector("[autofocus]")?.removeAttribute("autofocus");
    panel.replaceChildren(page.querySelector(".editor"));
    document.title = page.title;
    if (!panel.isConnected) document.body.append(panel); // htmx replaces all of it where Back leads to an address of its own
    const root = document.documentElement;
    if (!panel.open) root.style.setProperty("--bar", `${innerWidth - root.clientWidth}px`);
    if (!panel.open) panel.showModal();
    htmx.process(panel);
    htmx.trigger(panel, "htmx:afterSwap"); // folds what is folded
    panel.scrollTop = 0;
    focus();
    document.activeElement.select?.();
  }

  // By touch a keyboard would open, over half of the form; a tablet may have a mouse or keys of its own, too.
  let isTouched = matchMedia("(pointer: coarse)").matches;
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, ({ pointerType }) => { isTouched = pointerType === "touch"; }, true);
  function focus() {
    (panel.querySelector('[aria-invalid="true"]') ?? panel.querySelector(isTouched ? "h1" : '[name="name"]'))?.focus();
  }

  panel.addEventListener("htmx:load", ({ target }) => { if (target.matches(".element-form")) focus(); }); // that of a draft

  // Loads the page at an address. False without a network.
  async function load(url) {
    const response = await requests.send(url);
    if (!response) return false;
    const page = requests.parse(response.content);
    if (!page.querySelector(".editor")) location.assign(url); // that of an error
    else {
      if (builder && !panel.open) await left();
      if (!builder) builder = { url: location.href, title: document.title };
      history[panel.open ? "replaceState" : "pushState"]({ panel: true }, "", url);
      show(page);
      document.querySelector("#messages .unsaved-note")?.remove(); // what it says is filled in
      drafts.restore(formOf());
    }
    return true;
  }

  // A button of the page was pressed before: htmx puts the address of its answer into the history, before the panel's.
  const saved = () => new Promise((resolve) => {
    if (document.querySelector("#roster-form.htmx-request")) document.addEventListener("htmx:afterRequest", resolve, { once: true });
    else resolve();
  });

  async function open(link, url = link.href) {
    const name = panel.open && formOf().elements.name; // of a form that begins anew
    if (name) drafts.remove(formOf());
    else [opener, added] = [link.getAttribute("href")];
    link.setAttribute("aria-busy", "true");
    await saved();
    const isLoaded = await load(url);
    link.removeAttribute("aria-busy");
    unopened?.remove();
    if (!isLoaded) unopened = drafts.showNote(link, requests.texts.unopened, () => open(link, url), requests.texts.again);
    else if (name && name.value !== name.defaultValue) rename(name.value);
  }

  panel.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.closest(".starts")) return;
    event.preventDefault();
    const query = new URLSearchParams(new FormData(form));
    query.append(submitter.name, submitter.value);
    open(submitter, `${form.action}?${query}`);
  });

  // What was typed stays when another start is chosen.
  function rename(name) {
    const field = formOf().elements.name;
    field.value = name;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Closes the panel, and goes back to the entry of the page behind. What was typed and not saved is kept for the next time.
  const left = () => new Promise((resolve) => { panel.addEventListener("left", resolve, { once: true }); });
  function leave() {
    clear();
    return left();
  }
  function clear() {
    panel.close();
    if (!panel.hasChildNodes()) return;
    const form = formOf();
    if (form && drafts.keep(form)) {
      const messages = document.getElementById("messages");
      messages.replaceChildren();
      const note = drafts.showNote(messages, requests.texts.kept, () => drafts.remove(form), requests.texts.discard);
      note.classList.add("draft");
      const again = { className: "btn btn-sm btn-outline-secondary", href: opener, textContent: requests.texts.open };
      note.lastElementChild.before(Object.assign(document.createElement("a"), again), " ");
    }
    panel.replaceChildren();
    if (builder) history.back();
  }
  panel.addEventListener("close", () => { if (!panel.open) clear(); }); // by Escape
  panel.addEventListener("cancel", (event) => { // the price over the form closes first
    const receipt = panel.querySelector("[data-fold=receipt][open]");
    if (!receipt || getComputedStyle(receipt.lastElementChild).position !== "absolute") return;
    event.preventDefault();
    if (!rosterGrid.isField(document.activeElement)) receipt.firstElementChild.focus();
    receipt.firstElementChild.click();
  });
  addEventListener("popstate", (event) => {
    if (!builder) {
      if (event.state?.panel || document.querySelector("main > .editor")) location.reload(); // forward again, or back from its page
      return;
    }
    event.stopImmediatePropagation(); // htmx would load the builder again
    document.title = builder.title;
    builder = null;
    clear();
    const row = document.getElementById(added);
    if (row) row.querySelector("th a").focus();
    else if (document.activeElement === document.body) document.querySelector(`main a[href="${CSS.escape(opener)}"]`)?.focus();
    panel.dispatchEvent(new Event("left"));
  });
  addEventListener("pagehide", () => { if (formOf()) drafts.keep(formOf()); });

  // Takes the answer to the form: what is wrong with it, or the rows that have changed.
  async function answer(page, response, form, url) {
    if (!response.ok) show(page);
    else if (url !== form.action) await showAnother(page, response, form.action);
    else {
      form.remove(); // nothing of it is left to keep
      await leave();
      document.activeElement.blur(); // the heads of formations are not replaced around the focus
      document.dispatchEvent(new CustomEvent("panel:saved", { detail: opener }));
      await rosterGrid.patch(response.content);
      document.getElementById(page.querySelector("#grid tr[id]")?.id)?.querySelector("th a").focus();
    }
  }

  async function showAnother(page, response, url) {
    const message = page.querySelector("#messages .notice > span");
    await rosterGrid.patch(response.content);
    document.querySelector("#messages .notice")?.remove(); // the panel shows it, over its bar until something is typed
    added = page.querySelector("#grid tr[id]")?.id;
    if (!await load(`${url}&after=${added?.slice(2)}`)) leave(); // without "e-"
    else if (message) panel.querySelector(".preview").append(Object.assign(message, { className: message.parentElement.className, role: "status" }));
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.pathname?.endsWith("/element") && document.getElementById("roster-form")) {
      event.preventDefault();
      if (!link.hasAttribute("aria-busy")) requests.enqueue(() => open(link)); // after the cell that the click has left
    } else if (panel.contains(link) && link.pathname === new URL(builder.url).pathname) {
      event.preventDefault();
      leave().then(() => document.getElementById(link.hash.slice(1))?.querySelector("th a, h2")?.focus());
    }
  });

  // A click beside the panel, which began there: the end of a selection does not close it.
  let pressed;
  panel.addEventListener("pointerdown", ({ target }) => { pressed = target; });
  panel.addEventListener("click", ({ target, detail }) => { if (target === panel && pressed === panel && detail < 2) leave(); });

  return { load, answer };
})();
