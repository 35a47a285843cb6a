// What somebody has typed is never lost in a bad network. A form that is submitted is kept in the tab until the site has
// answered it, and is filled in again where its page is opened without that; the cookie of the answer names the form.
(() => {
  const KEY = "unsent ";
  // Django gives forms another token at sign-in and sign-out: what was typed is only for who has typed it.
  const visitor = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
  if (sessionStorage.getItem("visitor") !== visitor) Object.keys(sessionStorage).filter((key) => key.startsWith(KEY)).forEach((key) => sessionStorage.removeItem(key));
  sessionStorage.setItem("visitor", visitor);
  const COOKIE = "armybuilder_answered";
  const text = document.currentScript.dataset;
  const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(16)).join("-");
  const isKept = (form) => form.method === "post" && form.id !== "play" && !form.querySelector("[type=password], [type=file]")
    && form.querySelector("input:not([type=hidden]):not([readonly]), textarea, select");

  function keep(form, id) {
    const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "form_id");
    sessionStorage.setItem(KEY + form.action, JSON.stringify({ id, fields }));
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !isKept(form)) return;
    const id = newId();
    keep(form, id);
    const field = form.elements.form_id || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "form_id" }));
    field.value = id;
  });

  // ---- when a page is opened

  function dropAnswered() {
    const answered = document.cookie.match(`(?:^|; )${COOKIE}=([^;]*)`);
    if (!answered) return;
    document.cookie = `${COOKIE}=; path=/; max-age=0`;
    for (const key of Object.keys(sessionStorage).filter((each) => each.startsWith(KEY))) {
      if (JSON.parse(sessionStorage.getItem(key)).id === answered[1]) sessionStorage.removeItem(key);
    }
  }

  function fill(form, fields) {
    const left = [...fields];
    for (const field of form.elements) {
      if (!field.name || field.type === "submit" || field.name === "csrfmiddlewaretoken") continue;
      const place = left.findIndex(([name, value]) => name === field.name && (!/checkbox|radio/.test(field.type) || value === field.value));
      if (/checkbox|radio/.test(field.type)) field.checked = place >= 0;
      else if (place >= 0) field.value = left.splice(place, 1)[0][1];
    }
  }

  async function restore(form) {
    const kept = sessionStorage.getItem(KEY + form.action);
    if (!kept || !isKept(form)) return;
    const { fields } = JSON.parse(kept);
    const reload = form.querySelector("[data-reload]");
    fill(form, fields);
    if (reload) { // its fields depend on each other: the site draws them
      const values = {};
      for (const [name, value] of fields) (values[name] ||= []).push(value);
      const target = `#${form.id}`;
      await htmx.ajax("POST", reload.formAction, { source: form, values, target, select: target, swap: "outerHTML" });
      form = document.querySelector(target);
    }
    say(form.querySelector("[autofocus], input:not([type=hidden]), textarea, select"), text.restored, () => {
      sessionStorage.removeItem(KEY + form.action);
      location.reload();
    }, text.discard);
  }

  document.addEventListener("DOMContentLoaded", () => {
    dropAnswered();
    for (const form of document.forms) restore(form);
  });

  // ---- when a request of the page itself fails

  function say(place, problem, action, label) {
    document.querySelector(".unsaved-note")?.remove();
    const note = Object.assign(document.createElement("p"), { className: "unsaved-note" });
    note.setAttribute("role", "alert");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-sm btn-outline-secondary", textContent: label });
    button.addEventListener("click", () => { note.remove(); action(); });
    note.append(`${problem} `, button);
    (place.closest("td, .mb-3, p, div") || place).append(note);
  }

  let pressed; // where the finger was
  document.addEventListener("focusin", (event) => { pressed = event.target; });
  htmx.config.timeout = 20_000;

  function failed(event) {
    const { elt, requestConfig } = event.detail;
    const form = elt.closest("form");
    if (!form) return;
    const place = pressed && form.contains(pressed) ? pressed : elt;
    if (event.detail.target.id === "preview") return say(event.detail.target, text.stale, () => htmx.trigger(form, "input"), text.again);
    if (isKept(form)) keep(form, newId());
    form.querySelectorAll(".quantity").forEach((field) => field.classList.toggle("unsaved", field.value !== field.defaultValue));
    say(place, text.failed, () => form.requestSubmit(requestConfig.triggeringEvent?.submitter), text.again);
  }
  document.addEventListener("htmx:sendError", failed);
  document.addEventListener("htmx:timeout", failed);
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, boosted, xhr } = event.detail;
    const form = elt.closest("form");
    if (form && boosted && (xhr.status < 400 || xhr.status === 409 || xhr.status === 422) && xhr.status) sessionStorage.removeItem(KEY + form.action);
  });
})();
