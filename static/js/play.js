// Taps on the play page. They are sent one after the other; until the site has answered, a tap is marked as not saved,
// and a tap that fails stays in the browser, to be tried again under the same request id. Other tabs send the same taps:
// the id makes that harmless. unsent.js drops them at sign-in and sign-out. The page works without this.
(() => {
  const WAIT = 15_000; // milliseconds for an answer
  const EVERY = 5_000; // milliseconds between questions whether somebody else has changed something
  const stored = `play ${location.pathname}`;
  let sending = false;

  const form = () => document.getElementById("play");
  const buttons = (name) => [...form().querySelectorAll(`button[name="${name}"]`)];
  const buttonOf = (tap) => (tap.name === "box" ? boxOf(tap) : buttons(tap.name)[tap.index]);
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
    if (button.name === "box" && !matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(12);
    mark();
    send();
  });

  const ADDRESS = /^(.+) (\d+) ([01])$/s; // what a box sends: its track, its number, and whether it shall be marked
  const boxesOf = (track) => buttons("box").filter((each) => ADDRESS.exec(each.value)[1] === track);
  const boxOf = ({ fields }) => {
    const [, track, number] = ADDRESS.exec(fields.box);
    return boxesOf(track)[number];
  };

  // A track as it shall be. Card and _marked in rosters do the same: a count is marked from its first box.
  function markBoxes(tap) {
    const [, track, number, shall] = ADDRESS.exec(tap.fields.box);
    const boxes = boxesOf(track);
    const isCount = boxes[0]?.closest(".damage-track").dataset.kind === "count";
    const isOn = (box) => box.classList.contains("on");
    boxes.forEach((box, index) => {
      const on = index === Number(number) || (isCount && (shall === "1" ? index < number : index > number)) ? shall === "1" : isOn(box);
      if (on !== isOn(box) || index === Number(number)) box.classList.add("unsaved");
      box.classList.toggle("on", on);
      box.setAttribute("aria-pressed", on);
    });
    boxes.forEach((box, index) => {
      const cleared = isCount && boxes.slice(index + 1).some(isOn) ? index + 1 : index;
      box.value = isOn(box) ? `${track} ${cleared} 0` : `${track} ${index} 1`;
    });
  }

  // Until it is saved the page shows what a tap on a box or on the turn asked for, and the next tap goes on from there.
  function mark() {
    form().querySelector(".play-bar").dataset.waiting = taps().length ? form().dataset.unsaved : "";
    for (const tap of taps()) {
      const button = buttonOf(tap);
      if (!button) continue;
      button.classList.add("unsaved");
      button.setAttribute("aria-busy", "true");
      if (tap.name === "box") markBoxes(tap);
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
    const known = alerts().map((alert) => alert.textContent);
    for (const id of ["messages", "play"]) document.getElementById(id).replaceWith(page.getElementById(id));
    dress();
    foldAlerts(known);
    if (at && at.index >= 0) buttons(at.name)[at.index]?.focus({ preventScroll: true });
    if (at && document.activeElement === document.body) form().querySelector("[name=undo], [name=turn]:last-of-type").focus({ preventScroll: true });
    mark();
  }

  // The bar shows what the last change brought about; a button shows all that holds.
  const alerts = () => [...form().querySelectorAll("[data-alert]")];
  function foldAlerts(known) {
    for (const alert of alerts()) alert.classList.add(known.includes(alert.textContent) ? "seen" : "arrived");
    const button = form().querySelector("[data-alerts]");
    button.hidden = !form().querySelector(".seen");
    button.addEventListener("click", () => button.setAttribute("aria-expanded", form().querySelector(".alerts").classList.toggle("all")));
  }

  // In the bar at the thumb, where it moves nothing: what went wrong, and what to do about it.
  function note(problem) {
    form().querySelector(".unsaved-note")?.remove();
    const text = document.createElement("p");
    text.className = "unsaved-note";
    text.setAttribute("role", "alert");
    text.append(`${problem} `, act("again", send), " ", act("discard", discard));
    form().querySelector(".play-bar").prepend(text);
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

  // ---------------------------------------------------------------- the other player, or another screen of this one

  let touched = false;
  addEventListener("pointerdown", () => { touched = true; });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { touched = false; });
  const isBusy = () => touched || sending || taps().length || document.hidden || document.querySelector("dialog[open], #play details[open]");

  async function refresh() {
    if (isBusy()) return;
    try {
      const headers = { "HX-Request": "true", "If-None-Match": form().dataset.version };
      const response = await fetch(location.href, { headers, cache: "no-store" });
      if (response.status !== 200 || isBusy()) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (page.getElementById("play") && !isBusy()) draw(page);
    } catch { /* without a network the page stays as it is */ }
  }
  setInterval(refresh, EVERY);
  addEventListener("focus", refresh);

  // ---------------------------------------------------------------- what this browser remembers: screen on, scale

  let lock = null;
  async function keepOn() {
    const wanted = localStorage.getItem("keep screen on") === "1" && !document.hidden;
    if (wanted && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (!wanted) await lock?.release();
  }

  function dress() {
    const wake = form().querySelector("[data-wake]");
    if ("wakeLock" in navigator) {
      wake.hidden = false;
      wake.firstElementChild.checked = localStorage.getItem("keep screen on") === "1";
      wake.onchange = () => { localStorage.setItem("keep screen on", Number(wake.firstElementChild.checked)); keepOn(); };
    }
    const scale = form().querySelector("[data-scale]");
    if (!scale) return;
    const select = scale.querySelector("select");
    const rewrite = () => document.querySelectorAll("[data-by-scale]").forEach((each) => { each.textContent = each.dataset.byScale.split("|")[select.value]; });
    scale.hidden = false;
    select.value = localStorage.getItem(`scale ${scale.dataset.scale}`) || "0";
    select.onchange = () => { localStorage.setItem(`scale ${scale.dataset.scale}`, select.value); rewrite(); };
    rewrite();
  }
  document.addEventListener("visibilitychange", () => { if ("wakeLock" in navigator) keepOn(); refresh(); });

  // ---------------------------------------------------------------- the quick reference, as a drawer over the page

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("#to-reference");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    let drawer = document.querySelector("dialog.drawer");
    if (!drawer) {
      const response = await fetch(link.href).catch(() => null);
      const page = response?.ok && new DOMParser().parseFromString(await response.text(), "text/html");
      if (!page) return location.assign(link.href);
      drawer = document.createElement("dialog");
      drawer.className = "drawer";
      const close = document.createElement("button");
      close.className = "btn btn-outline-secondary";
      close.textContent = form().dataset.close;
      close.addEventListener("click", () => drawer.close());
      drawer.addEventListener("click", (click) => { if (click.target === drawer) drawer.close(); });
      const head = document.createElement("header");
      head.append(page.querySelector("h1"), close);
      drawer.append(head, page.getElementById("reference"));
      document.body.append(drawer);
    }
    drawer.showModal();
  });

  addEventListener("online", () => { if (taps().length) send(); });
  document.addEventListener("DOMContentLoaded", () => {
    mark();
    dress();
    foldAlerts(alerts().map((alert) => alert.textContent));
    if ("wakeLock" in navigator) keepOn();
    if (!taps().length) return;
    if (navigator.onLine) send();
    else note(form().dataset.failed);
  });
})();
