// Drafts of forms in a bad network. This script submits the forms: if that fails, the page stays and an error is shown
// beside the button. Until the site has saved it, the draft is in sessionStorage, and is filled in when the page is opened
// again. Without the script the browser submits the forms.
const drafts = (() => {
  const KEY = "unsent ";
  // Django rotates the CSRF token at sign-in and sign-out: drafts are only for the account that typed them.
  const visitor = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
  for (const [storage, start] of [[sessionStorage, KEY], [localStorage, "play "]]) {
    if (storage.getItem("visitor") !== visitor) Object.keys(storage).filter((key) => key.startsWith(start)).forEach((key) => storage.removeItem(key));
    storage.setItem("visitor", visitor);
  }
  const { texts } = requests;
  const storesDraft = (form) => form.method === "post" && form.id !== "play" && !form.querySelector("[type=password], [type=file]")
    && form.querySelector("input:not([type=hidden]):not([readonly]), textarea, select");

  function storeDraft(form) {
    const isAsSaved = (field) => field instanceof Element && field.matches(".quantity") && field.value === field.defaultValue; // or changed elsewhere since
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && !isAsSaved(form.elements[name]));
    sessionStorage.setItem(KEY + form.action, JSON.stringify({ fields }));
  }

  const removeDraft = (form) => sessionStorage.removeItem(KEY + form.action);

  // ---- sending a form

  // A form is busy until the next page is there, so that a second press of its button sends nothing.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    const isBusy = form.hasAttribute("aria-busy");
    if (isBusy || storesDraft(form)) event.preventDefault();
    if (isBusy) return;
    form.setAttribute("aria-busy", "true");
    if (event.defaultPrevented) submitOrKeep(form, event.submitter);
    else setTimeout(() => form.removeAttribute("aria-busy"), requests.TIMEOUT); // the browser sends it
  });
  addEventListener("pageshow", () => { // also of a page that Back restores as it was left
    for (const form of document.querySelectorAll("form[aria-busy]")) form.removeAttribute("aria-busy");
  });

  async function submitOrKeep(form, button) {
    const values = new URLSearchParams(new FormData(form));
    if (button?.name) values.append(button.name, button.value);
    storeDraft(form);
    const error = await submit(form, button?.hasAttribute("formaction") ? button.formAction : form.action, values);
    if (!error) return;
    form.removeAttribute("aria-busy");
    showNote(button || form, error, () => form.requestSubmit(button), texts.again);
  }

  // Returns the error; "" where another page, or the form with its errors, is shown.
  async function submit(form, url, values) {
    const isPanel = form.closest("#editor-panel");
    const response = await requests.send(url, { values, headers: { "X-Form": "1", ...(isPanel && { "X-Part": "1" }) } });
    if (!response) return texts.failed;
    const page = requests.parse(response.content);
    if (isProblem(response.status)) return `${texts.refused} ${page.querySelector("main h1")?.textContent ?? ""}`;
    if (response.ok) removeDraft(form);
    if (response.headers.has("X-Location")) goTo(response.headers.get("X-Location"));
    else if (isPanel) await editorPanel.answer(page, response, form, url);
    else showPage(page, response);
    return "";
  }

  const isProblem = (status) => status >= 400 && status !== 409 && status !== 422;

  function goTo(address) {
    const to = new URL(address, location.href);
    const here = to.pathname + to.search === location.pathname + location.search;
    location.assign(to);
    if (here && to.hash) location.reload();
  }

  function showPage(page, response) {
    requests.replace("main", page);
    document.title = page.title;
    htmx.trigger("main", "htmx:afterSwap");
    if (response.ok) { // a result, such as that of a check, is a page of its own
      history.pushState(null, "", response.url);
      addEventListener("popstate", () => location.reload());
    }
    scrollTo(0, 0);
    document.querySelector('main [aria-invalid="true"]')?.focus();
  }

  // ---- when a page is opened

  function fillIn(form, fields) {
    const left = [...fields];
    for (const field of form.elements) {
      if (!field.name || field.type === "submit" || field.name === "csrfmiddlewaretoken") continue;
      const place = left.findIndex(([name, value]) => name === field.name && (!/checkbox|radio/.test(field.type) || value === field.value));
      if (/checkbox|radio/.test(field.type)) field.checked = place >= 0;
      else if (place >= 0) field.value = left.splice(place, 1)[0][1];
    }
    form.querySelectorAll(".quantity").forEach(markUnsaved);
  }

  function isChanged(field) {
    if (/checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") return field.selectedIndex !== Math.max(0, [...field.options].findLastIndex((each) => each.defaultSelected));
    return "defaultValue" in field && field.value !== field.defaultValue;
  }

  async function restore(form) {
    const draft = sessionStorage.getItem(KEY + form.action);
    if (!draft || !storesDraft(form)) return;
    const { fields } = JSON.parse(draft);
    const reload = form.querySelector("[data-reload]");
    fillIn(form, fields);
    if (![...form.elements].some(isChanged)) return removeDraft(form); // it was saved after all
    if (reload) { // the site renders its price, and what is selected first
      const values = {};
      for (const [name, value] of fields) (values[name] ||= []).push(value);
      const target = `#${form.id}`;
      const shown = htmx.ajax("POST", reload.formAction, { source: form, values, target, select: target, swap: "outerHTML" });
      await shown.catch(() => {}); // typed on meanwhile: the preview of that is in its place
      form = document.querySelector(target);
    }
    showNote(form.querySelector(".quantity.unsaved, .name-and-quantity") || form.querySelector("[autofocus], input:not([type=hidden]), textarea, select"), texts.restored, () => {
      removeDraft(form);
      if (form.closest("#editor-panel")) editorPanel.load(form.action);
      else location.reload();
    }, texts.discard).classList.add("draft");
  }

  // Stores what was typed into a form that is closed. True if it is not saved.
  function keep(form) {
    if ([...form.elements].some((field) => field.name && isChanged(field))) storeDraft(form);
    return sessionStorage.getItem(KEY + form.action) !== null;
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.forms) restore(form);
  });

  // ---- when a request of the page itself fails

  function showNote(place, text, action, label) {
    const around = place.closest(".tools, .qty")?.closest("tr")?.querySelector("th") || place.closest("td, th, .form-field, p, div") || place;
    around.querySelector(":scope > .unsaved-note")?.remove();
    const note = Object.assign(document.createElement("p"), { className: "unsaved-note" });
    note.setAttribute("role", "alert");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-sm btn-outline-secondary", textContent: label });
    button.addEventListener("click", () => { note.remove(); action(); });
    note.append(`${text} `, button);
    around.append(note);
    return note;
  }

  let focused; // the control that had the focus last
  document.addEventListener("focusin", (event) => { focused = event.target; });
  htmx.config.timeout = requests.TIMEOUT;

  // A number that is not saved yet looks different.
  const markUnsaved = (field) => field.classList.toggle("unsaved", field.value !== field.defaultValue);
  document.addEventListener("input", (event) => { if (event.target.matches(".quantity")) markUnsaved(event.target); });

  function onFailure(event, refused) {
    const { target, requestConfig } = event.detail;
    const { elt } = requestConfig;
    const form = elt.closest("form");
    if (!form) return;
    if (target.id === "preview") return showNote(target, refused ? texts.staleRefused : texts.stale, () => htmx.trigger(form, "input"), texts.again);
    form.querySelectorAll(".quantity").forEach(markUnsaved);
    const place = form.querySelector(".quantity.unsaved") || (focused && form.contains(focused) ? focused : elt);
    if (storesDraft(form)) storeDraft(form);
    if (target === form) return showNote(place, refused ? texts.staleRefused : texts.stale, () => restore(form), texts.again);
    showNote(place, refused ? texts.refused : texts.failed, () => form.requestSubmit(requestConfig.triggeringEvent?.submitter), texts.again);
  }
  document.addEventListener("htmx:sendError", (event) => onFailure(event, false));
  document.addEventListener("htmx:timeout", (event) => onFailure(event, false));
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.requestConfig.elt.closest("form") || !isProblem(event.detail.xhr.status)) return;
    event.detail.shouldSwap = false;
    onFailure(event, true);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { boosted, xhr, requestConfig } = event.detail;
    const form = requestConfig.elt.closest("form"); // the event's own element is another one where the form was replaced
    if (form && boosted && requestConfig.verb === "post" && xhr.status && !isProblem(xhr.status)) removeDraft(form);
  });

  return { keep, restore, remove: removeDraft, showNote };
})();
