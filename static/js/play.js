// Taps on the play page. They are sent one after the other; until the site has answered, a tap is marked as not saved,
// and a tap that fails stays in the browser, to be tried again under the same request id. Other tabs send the same taps:
// the id makes that harmless. unsent.js drops them at sign-in and sign-out. The page works without this.
(() => {
  const WAIT = 15_000; // milliseconds for an answer
  const stored = `play ${location.pathname}`;
  let sending = false;

  const form = () => document.getElementById("play");
  const buttons = (name) => [...form().querySelectorAll(`button[name="${name}"]`)];
  const buttonOf = (tap) => buttons(tap.name)[tap.index];
  const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(16)).join("-");
  const taps = () => JSON.parse(localStorage.getItem(stored) || "[]");
  const store = (left) => (left.length ? localStorage.setItem(stored, JSON.stringify(left)) : localStorage.removeItem(stored));

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.id !== "play" || !button) return;
    event.preventDefault();
    const fields = { ...Object.fromEntries(new FormData(form())), [button.name]: button.value, request_id: newId() };
    delete fields.csrfmiddlewaretoken;
    const address = button.hasAttribute("formaction") ? button.formAction : form().action;
    store([...taps(), { address, fields, name: button.name, index: buttons(button.name).indexOf(button) }]);
    mark();
    send();
  });

  // The same button pressed once more takes the tap back, and the turn goes on from the one that was asked for.
  function mark() {
    for (const tap of taps()) {
      const button = buttonOf(tap);
      if (!button) continue;
      button.classList.add("unsaved");
      button.setAttribute("aria-busy", "true");
      if (tap.name === "box") button.value = tap.fields.box.slice(0, -1) + (tap.fields.box.endsWith("1") ? "0" : "1");
      if (tap.name !== "turn") continue;
      const turn = Number(tap.fields.turn);
      form().elements.shown_turn.value = turn;
      buttons("turn").forEach((each, index) => { each.value = turn + (index ? 1 : -1); each.disabled = each.value < 0; });
    }
  }

  async function send() {
    if (sending) return;
    sending = true;
    while (taps().length) {
      const problem = await post(taps()[0]);
      if (problem) {
        note(problem);
        break;
      }
    }
    sending = false;
  }

  // What went wrong; nothing if the tap is saved, and the page shows it.
  async function post(tap) {
    const body = new URLSearchParams({ ...tap.fields, start: form().elements.start.value, csrfmiddlewaretoken: form().elements.csrfmiddlewaretoken.value });
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), WAIT);
    try {
      const response = await fetch(tap.address, { method: "POST", body, headers: { "HX-Request": "true" }, signal: abort.signal });
      if (!response.ok) return form().dataset.refused;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!page.getElementById("play")) return form().dataset.refused;
      store(taps().filter((each) => each.fields.request_id !== tap.fields.request_id));
      draw(page);
      return "";
    } catch {
      return form().dataset.failed;
    } finally {
      clearTimeout(timer);
    }
  }

  function draw(page) {
    const focused = document.activeElement;
    const at = form().contains(focused) ? { name: focused.name, index: buttons(focused.name).indexOf(focused) } : null;
    for (const id of ["messages", "play"]) document.getElementById(id).replaceWith(page.getElementById(id));
    if (at && at.index >= 0) buttonOf(at)?.focus({ preventScroll: true });
    if (at && document.activeElement === document.body) form().querySelector("[name=undo], [name=turn]:last-of-type").focus({ preventScroll: true });
    mark();
  }

  // Beside the button that was pressed: what went wrong, and what to do about it.
  function note(problem) {
    form().querySelector(".unsaved-note")?.remove();
    const text = document.createElement("p");
    text.className = "unsaved-note";
    text.setAttribute("role", "alert");
    text.append(`${problem} `, act("again", send), " ", act("discard", discard));
    const place = buttonOf(taps()[0])?.closest(".track, .turnbar, .play-tools, .play-bar") || form().querySelector(".turnbar");
    if (place.matches(".play-bar")) place.prepend(text);
    else place.after(text);
  }

  function act(name, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm btn-outline-secondary";
    button.textContent = form().dataset[name];
    button.addEventListener("click", () => { button.parentElement.remove(); action(); });
    return button;
  }

  function discard() {
    store([]);
    location.reload();
  }

  addEventListener("online", () => { if (taps().length) send(); });
  document.addEventListener("DOMContentLoaded", () => {
    mark();
    if (!taps().length) return;
    if (navigator.onLine) send();
    else note(form().dataset.failed);
  });
})();
