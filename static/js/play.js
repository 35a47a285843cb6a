// Taps on the play page. They are sent one after the other; until the site has answered, a tap is marked as not saved,
// and a tap that fails stays in the browser, to be tried again under the same request id. Other tabs send the same taps:
// the id makes that harmless. unsent.js drops them at sign-in and sign-out. The page works without this.
(() => {
  const REFRESH = 5_000; // milliseconds between looks for changes that somebody else made
  const stored = `play ${location.pathname}`;
  let sending = false;

  const form = () => document.getElementById("play");
  const buttons = (name) => [...form().querySelectorAll(`button[name="${name}"]`)];
  const buttonOf = (tap) => (tap.name === "box" ? boxOf(tap) : buttons(tap.name)[tap.index]);
  const taps = () => JSON.parse(localStorage.getItem(stored) || "[]");
  const store = (left) => (left.length ? localStorage.setItem(stored, JSON.stringify(left)) : localStorage.removeItem(stored));

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target.id !== "play" || !button) return;
    event.preventDefault();
    const fields = { ...Object.fromEntries(new FormData(form())), [button.name]: button.value, request_id: requests.newId() };
    delete fields.csrfmiddlewaretoken;
    const url = button.hasAttribute("formaction") ? button.formAction : form().action;
    const last = button.name === "undo" && pending().findLast(isUndoable);
    document.getElementById("messages").replaceChildren(); // an alert may follow in its place
    store([...taps(), { url, fields, name: button.name, index: buttons(button.name).indexOf(button) }]);
    if (button.name === "box" && !matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(12);
    if (button.name === "turn") hideAlerts();
    if (button.name === "undo") render(saved);
    else markUnsaved();
    if (last) sayUndone(last);
    sendTaps();
  });

  const ADDRESS = /^(.+) (\d+) ([01])$/s; // the value of a box: its track, its number, and 1 to mark it or 0 to clear it
  const boxesOf = (track) => buttons("box").filter((each) => ADDRESS.exec(each.value)[1] === track);
  const boxOf = ({ fields }) => {
    const [, track, number] = ADDRESS.exec(fields.box);
    const boxes = boxesOf(track);
    return boxes[number] ?? boxes[0];
  };

  // Marks a track as the site will. Card and _marked in rosters do the same: a count is marked from its first box.
  function markBoxes(tap) {
    const [, track, number, value] = ADDRESS.exec(tap.fields.box);
    const boxes = boxesOf(track);
    if (boxes[0]?.closest("[data-dial]")) return turnDial(boxes[0], track, value === "1" ? Number(number) + 1 : 0);
    const isCount = boxes[0]?.closest(".damage-track")?.dataset.kind === "count";
    const isOn = (box) => box.classList.contains("on");
    boxes.forEach((box, index) => {
      const on = index === Number(number) || (isCount && (value === "1" ? index < number : index > number)) ? value === "1" : isOn(box);
      if (on !== isOn(box) || index === Number(number)) box.classList.add("unsaved");
      box.classList.toggle("on", on);
      box.setAttribute("aria-pressed", on);
    });
    boxes.forEach((box, index) => {
      const cleared = isCount && boxes.slice(index + 1).some(isOn) ? index + 1 : index;
      box.value = isOn(box) ? `${track} ${cleared} 0` : `${track} ${index} 1`;
    });
  }

  // Each tap raises a number, the one after the last sets it to 0.
  function turnDial(dial, track, number) {
    dial.textContent = number;
    dial.value = number < Number(dial.dataset.most) ? `${track} ${number} 1` : `${track} 0 0`;
  }

  // The site says the same of what it has saved.
  function sayUndone(tap) {
    const button = buttonOf(tap);
    const text = tap.name === "box" ? `${button?.closest(".stat-card").querySelector("h3").textContent}, ${button?.getAttribute("aria-label")}`
      : button?.getAttribute("aria-label") ?? button?.textContent;
    say(form().dataset.undone.replace("%(change)s", text), 5_000);
  }

  function say(textContent, time) {
    const notice = Object.assign(document.createElement("div"), { className: "notice notice-info", textContent });
    document.getElementById("messages").replaceChildren(notice);
    setTimeout(() => notice.remove(), time);
  }

  // The taps that are not saved, without those that a later Undo takes back.
  const isUndoable = ({ name }) => /^(box|turn|reset)$/.test(name);
  function pending() {
    const shown = [];
    for (const tap of taps()) {
      const last = tap.name === "undo" ? shown.findLastIndex(isUndoable) : -1;
      if (last < 0) shown.push(tap);
      else shown.splice(last, 1);
    }
    return shown;
  }

  // Until a tap on a box or on the turn is saved the page shows its result, and the next tap goes on from there.
  function markUnsaved() {
    form().querySelector(".play-bar").dataset.waiting = taps().length ? `${form().dataset.unsaved}: ${taps().length}` : "";
    const shownTaps = pending();
    if (shownTaps.some(isUndoable)) buttons("undo")[0].disabled = false;
    for (const tap of shownTaps) {
      const button = buttonOf(tap);
      if (!button) continue;
      button.classList.add("unsaved");
      button.setAttribute("aria-busy", "true");
      if (tap.name === "box") markBoxes(tap);
      if (tap.name !== "turn") continue;
      const turn = Number(tap.fields.turn);
      const shown = form().querySelector("[data-turn]");
      shown.textContent = turn || shown.dataset.none;
      shown.previousElementSibling.hidden = !turn;
      const last = shown.nextElementSibling; // only where the battle ends after a turn
      if (last) last.hidden = !turn || turn > last.dataset.last;
      form().elements.shown_turn.value = turn;
      buttons("turn").forEach((each, index) => { each.value = turn + (index ? 1 : -1); each.disabled = each.value < 0; });
    }
  }

  async function sendTaps() {
    if (sending) return;
    sending = true;
    let error = "";
    try {
      while (taps().length && !error) error = await sendTap(taps()[0]);
    } finally {
      sending = false;
    }
    if (error) showNote(error);
  }

  // Returns the error; "" if the tap is saved, and the page shows it.
  async function sendTap(tap) {
    const values = { ...tap.fields, start: form().elements.start.value, side: form().elements.side.value };
    const response = await requests.send(tap.url, { values, headers: { "HX-Request": "true" } });
    if (!response || response.status >= 502) return requests.texts.failed; // a proxy answers while the site restarts
    if (!response.ok || !isPlay(response)) return requests.texts.refused;
    store(taps().filter((each) => each.fields.request_id !== tap.fields.request_id));
    render(response.content);
    return "";
  }

  const isPlay = ({ content }) => requests.parse(content).getElementById("play");
  let saved = ""; // the page as the site sent it last

  // Shows a page of the site, with the taps that are not saved.
  function render(html) {
    saved = html;
    const page = requests.parse(html);
    const focused = document.activeElement;
    const at = form().contains(focused) ? { name: focused.name, index: buttons(focused.name).indexOf(focused) } : null;
    const known = alerts().map(newsOf);
    const open = [...form().querySelectorAll(".model.open")].map((each) => each.id);
    for (const part of ["#play", "#messages"]) requests.replace(part, page);
    dockMessages();
    open.forEach((id) => unfold(document.getElementById(id), true));
    restoreSettings();
    foldUndamaged();
    dropRolled();
    announce(known);
    if (at && at.index >= 0) buttons(at.name)[at.index]?.focus({ preventScroll: true });
    if (at && document.activeElement === document.body) form().querySelector("[name=undo]:enabled, [name=turn]:last-of-type").focus({ preventScroll: true });
    markUnsaved();
  }

  // What is not needed each turn is folded until its button is pressed.
  function unfold(model, isOpen) {
    model?.classList.toggle("open", isOpen);
    model?.querySelector("[data-rare]").setAttribute("aria-expanded", isOpen);
  }
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-rare]");
    if (button) unfold(button.closest(".model"), button.getAttribute("aria-expanded") === "false");
  });

  // Cards without damage are one line each, if that is asked for, until they are tapped: then they stay.
  const opened = new Set();
  const isFolding = () => localStorage.getItem("fold undamaged") === "1";
  function foldUndamaged() {
    const button = form().querySelector(".fold-untouched");
    if (button) button.textContent = button.dataset[isFolding() ? "folded" : "unfolded"];
    for (const card of form().querySelectorAll(".stat-card")) {
      const isFolded = isFolding() && !opened.has(card.dataset.card) && !card.querySelector(".mark.on");
      if (!isFolded) opened.add(card.dataset.card);
      card.classList.toggle("folded", isFolded);
      for (const [name, value] of [["role", "button"], ["tabindex", "0"], ["aria-expanded", "false"]]) {
        if (isFolded) card.firstElementChild.setAttribute(name, value);
        else card.firstElementChild.removeAttribute(name);
      }
    }
  }
  function openCard(event) {
    const card = event.target.closest?.(".stat-card.folded");
    if (!card || (event.key && !["Enter", " "].includes(event.key))) return;
    event.preventDefault();
    opened.add(card.dataset.card);
    foldUndamaged();
    if (event.key) card.querySelector(".mark")?.focus();
  }
  document.addEventListener("keydown", openCard);
  document.addEventListener("click", (event) => {
    openCard(event);
    if (!event.target.closest?.(".fold-untouched")) return;
    localStorage.setItem("fold undamaged", Number(!isFolding()));
    if (isFolding()) opened.clear();
    foldUndamaged();
  });

  // What a change brings about stands above the bar for a while, or until it is tapped; a button shows all alerts.
  const SHOWN = 12_000; // milliseconds
  const FINGER = 32; // pixels around the middle of a box that was tapped
  let news = []; // what stands there
  let lift = 0; // above the bar, in pixels
  let timer = 0;
  let tappedAt = 0; // how far from the top of the window
  addEventListener("pointerdown", ({ target, clientY }) => { tappedAt = target.closest?.(".play-bar") ? Infinity : clientY; });

  const alerts = () => [...form().querySelectorAll("[data-alert]")];
  const lasting = () => alerts().filter((alert) => alert.dataset.alert !== "event");
  const textOf = (alert) => alert.firstChild.textContent.trim(); // without its button
  const newsOf = (alert) => (alert.dataset.alert === "tally" ? "tally" : textOf(alert)); // no news each time it counts

  // A roll that was made is dropped while its losses last; Undo and the same loss ask for it again.
  function dropRolled(roll) {
    const key = `${stored} rolled ${form().elements.side.value}`;
    const rolled = [...JSON.parse(localStorage.getItem(key) || "[]"), roll];
    const dropped = alerts().filter((alert) => alert.dataset.roll && rolled.includes(alert.dataset.roll));
    localStorage.setItem(key, JSON.stringify(dropped.map((alert) => alert.dataset.roll)));
    dropped.forEach((alert) => alert.remove());
    const button = form().querySelector("[data-alerts]");
    button.querySelector("b").textContent = lasting().length;
    button.disabled = !lasting().length;
  }

  function announce(known) {
    const fresh = alerts().filter((alert) => !known.includes(newsOf(alert)));
    if (!fresh.length) return showAlerts(news);
    document.getElementById("news").textContent = fresh.map(textOf).join(" ");
    clearTimeout(timer);
    timer = setTimeout(hideAlerts, SHOWN);
    lift = 0;
    const list = showAlerts(fresh.map(newsOf));
    const { top, bottom } = list.getBoundingClientRect();
    if (top < tappedAt + FINGER && tappedAt < bottom) lift = bottom - tappedAt + FINGER;
    showAlerts(news).classList.add("new");
  }

  function showAlerts(texts) {
    news = texts;
    const list = form().querySelector(".alerts");
    if (!list) return list;
    for (const alert of alerts()) alert.hidden = !news.includes(newsOf(alert));
    list.hidden = alerts().every((alert) => alert.hidden);
    if (!list.hidden) document.querySelector("#messages > .notice-info")?.remove(); // it would cover them
    list.style.bottom = lift ? `calc(100% + ${lift}px)` : "";
    form().querySelector("[data-alerts]").setAttribute("aria-expanded", !lasting().some((alert) => alert.hidden));
    return list;
  }

  function hideAlerts() {
    const list = form().querySelector(".alerts:not([hidden])");
    const hadFocus = list?.contains(document.activeElement);
    showAlerts([]);
    if (hadFocus) form().querySelector("[data-alerts]").focus({ preventScroll: true });
  }

  const closeLosses = () => form().querySelector(".play-gauges[open]")?.removeAttribute("open");

  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-alerts]");
    target.closest?.("#messages")?.replaceChildren();
    if (target.closest?.(".play-gauges")) return hideAlerts();
    closeLosses();
    const roll = target.closest?.("[data-alert]");
    if (roll && target.closest("button")) {
      hideAlerts();
      dropRolled(roll.dataset.roll);
      return form().querySelector("[name=turn]:last-of-type").focus({ preventScroll: true });
    }
    if (target.closest?.(".alerts") || button?.getAttribute("aria-expanded") === "true") return hideAlerts();
    if (!button) return;
    clearTimeout(timer);
    lift = 0;
    showAlerts(lasting().map(newsOf));
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    hideAlerts();
    closeLosses();
  });

  // Above the bar wherever it is, which it must not cover.
  function dockMessages() {
    form().querySelector(".play-bar").prepend(document.getElementById("messages"));
    dropMessagesLater();
  }

  function dropMessagesLater() {
    const messages = document.getElementById("messages"); // another one after the next tap
    setTimeout(() => messages.replaceChildren(), messages.querySelector(".notice-info") ? 5_000 : SHOWN);
  }

  // The error and what to do about it, in the bar at the thumb, where it moves nothing.
  function showNote(error) {
    const isOffline = error === requests.texts.failed;
    if (isOffline && form().querySelector(".unsaved-note.offline")) return;
    form().querySelector(".unsaved-note")?.remove();
    const text = document.createElement("p");
    text.className = isOffline ? "unsaved-note offline" : "unsaved-note";
    text.setAttribute("role", "alert");
    text.append(`${error} `, noteButton(requests.texts.again, sendTaps), " ", noteButton(requests.texts.discard, () => discard(error)));
    form().querySelector(".play-bar").prepend(text);
  }

  function noteButton(label, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm btn-outline-secondary";
    button.textContent = label;
    button.addEventListener("click", () => { button.parentElement.remove(); action(); });
    return button;
  }

  function discard(error) {
    if (!confirm(form().dataset.discard)) return showNote(error);
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
    const response = await requests.send(location.href, { headers: { "HX-Request": "true", "If-None-Match": form().dataset.version } });
    if (response?.status !== 200 || isBusy()) return;
    if (isPlay(response)) render(response.content);
  }
  setInterval(() => (form().querySelector(".unsaved-note.offline") ? sendTaps() : refresh()), REFRESH);
  addEventListener("focus", refresh);
  addEventListener("pageshow", ({ persisted }) => { // Back may show what the page was at first
    if (persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") refresh();
  });

  // Each side of a battle is shown again where it was left.
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.(".battle-sides a")) sessionStorage.setItem(`play ${location.href}`, scrollY);
  });

  // ---------------------------------------------------------------- what this browser remembers: screen on, scale

  let lock = null;
  async function updateLock() {
    const isOn = localStorage.getItem("keep screen on") === "1" && !document.hidden;
    if (isOn && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen").catch(() => null);
    if (!isOn) await lock?.release();
  }

  function restoreSettings() {
    const wake = form().querySelector("[data-wake]");
    if ("wakeLock" in navigator) {
      wake.hidden = false;
      wake.firstElementChild.checked = localStorage.getItem("keep screen on") === "1";
      wake.onchange = () => { localStorage.setItem("keep screen on", Number(wake.firstElementChild.checked)); updateLock(); };
    }
    const scale = form().querySelector("[data-scale]");
    if (!scale) return;
    const select = scale.querySelector("select");
    scale.hidden = false;
    select.value = localStorage.getItem(`scale ${scale.dataset.scale}`) || "0";
    select.onchange = () => { localStorage.setItem(`scale ${scale.dataset.scale}`, select.value); showScale(); };
    showScale();
  }

  // Rewrites the distances of cards, and shows the panels of the quick reference in the selected scale.
  function showScale() {
    const scale = form().querySelector("[data-scale] select")?.value;
    if (!scale) return;
    document.querySelectorAll("[data-by-scale]").forEach((each) => { each.textContent = each.dataset.byScale.split("|")[scale]; });
    document.querySelectorAll("[data-of-scale]").forEach((each) => { each.hidden = each.dataset.ofScale !== scale; });
  }
  document.addEventListener("visibilitychange", () => { if ("wakeLock" in navigator) updateLock(); refresh(); });

  // ---------------------------------------------------------------- the quick reference and receipts, as drawers over the page

  const drawers = new Map();
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("[data-drawer]");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const drawer = drawers.get(link.href);
    if (drawer) return show(drawer);
    const response = await requests.send(link.href);
    if (!response?.ok) return location.assign(link.href);
    drawers.set(link.href, drawerOf(requests.parse(response.content)));
    show(drawers.get(link.href));
    const isSetUp = matchMedia("(max-width: 40rem)").matches && form().querySelector('[data-turn="0"]') && !form().querySelector(".mark.on");
    if (isSetUp) drawers.get(link.href).querySelector("[data-set-up]")?.scrollIntoView();
  });

  // Back closes it, and closing it goes back.
  function show(drawer) {
    drawer.showModal();
    history.pushState({ drawer: true }, "");
  }
  addEventListener("popstate", () => document.querySelector("dialog.drawer[open]")?.close());

  function drawerOf(page) {
    const drawer = document.createElement("dialog");
    drawer.className = "drawer";
    const close = document.createElement("button");
    close.className = "btn btn-outline-secondary";
    close.textContent = form().dataset.close;
    close.autofocus = true;
    close.addEventListener("click", () => drawer.close());
    drawer.addEventListener("click", (click) => { if (click.target === drawer) drawer.close(); });
    drawer.addEventListener("close", () => { if (history.state?.drawer) history.back(); });
    const head = document.createElement("header");
    head.append(page.querySelector("h1"), close);
    drawer.append(head, page.querySelector("[data-drawer-content]"));
    document.body.append(drawer);
    showScale();
    if (drawer.querySelector(".reference")) head.firstChild.after(sectionMenu(drawer));
    return drawer;
  }

  // The section that stands at the top, and the others to go to.
  function sectionMenu(drawer) {
    const sections = () => [...drawer.querySelectorAll(".reference > section:not([hidden])")];
    const menu = document.createElement("select");
    menu.className = "form-select";
    menu.setAttribute("aria-label", drawer.querySelector("h1").textContent);
    menu.append(...sections().map((section) => new Option(section.querySelector("h2").textContent)));
    menu.addEventListener("change", () => sections()[menu.selectedIndex].scrollIntoView());
    drawer.addEventListener("scroll", () => {
      const line = drawer.querySelector("header").getBoundingClientRect().bottom + 24;
      menu.selectedIndex = Math.max(0, sections().findLastIndex((section) => section.getBoundingClientRect().top < line));
    });
    return menu;
  }

  addEventListener("online", () => { if (taps().length) sendTaps(); });
  document.addEventListener("DOMContentLoaded", () => {
    saved = document.documentElement.outerHTML;
    markUnsaved();
    restoreSettings();
    foldUndamaged();
    dropRolled();
    showAlerts([]);
    dockMessages();
    const left = `play ${location.href}`;
    if (sessionStorage.getItem(left)) scrollTo(0, sessionStorage.getItem(left));
    sessionStorage.removeItem(left);
    if ("wakeLock" in navigator) updateLock();
    if (!localStorage.getItem("play explained")) say(form().dataset.explained, 2 * SHOWN);
    localStorage.setItem("play explained", "1");
    if (!taps().length) return;
    if (navigator.onLine) sendTaps();
    else showNote(requests.texts.failed);
  });
})();
