// What a page of the builder does by itself: it forgets messages, and follows what others change in the roster.
const following = (() => {
  const grid = () => document.getElementById("grid");

  // ---- a message of success goes with the next change or line, or after a while unless it is pointed at or has the focus

  const hideMessages = () => document.querySelectorAll("#messages :is(.notice-success, .notice-info)").forEach((each) => each.remove());
  document.addEventListener("input", ({ target }) => { if (target.id === "line") hideMessages(); }); // they would cover its preview
  addEventListener("hashchange", hideMessages); // their link was followed

  // The message of what was added is not needed where that is in sight, also under the message.
  function hideWhereSeen() {
    const messages = document.getElementById("messages");
    const row = document.getElementById(messages.querySelector("a[href^='#']")?.hash.slice(1));
    if (!row) return;
    const { x, y, width, height } = row.getBoundingClientRect();
    messages.hidden = true;
    if (row.contains(document.elementFromPoint(x + width / 2, y + height / 2))) hideMessages();
    messages.hidden = false;
  }

  let showing;
  function hideMessagesLater() {
    clearTimeout(showing);
    showing = setTimeout(() => {
      const messages = document.getElementById("messages");
      if (messages?.matches(":hover, :focus-within")) hideMessagesLater();
      else hideMessages();
    }, 8_000);
  }
  const hideMessagesHere = () => { if (document.getElementById("roster-form")) hideMessagesLater(); };
  hideMessagesHere();
  document.addEventListener("htmx:afterSettle", hideMessagesHere);

  // At the end of a phone's page the entry bar leaves the bottom of the window: messages go up with it.
  const showEnd = ([{ isIntersecting }]) => document.documentElement.classList.toggle("at-end", isIntersecting);
  new IntersectionObserver(showEnd, { rootMargin: "24px" }).observe(document.querySelector("footer"));

  // ---- two editors: the page follows the roster, but not under a field that has the focus

  const isBusy = () => !grid() || document.querySelector("dialog[open], .menu[open], .editing, .dragged, #grid :checked");
  const isTyping = ({ id, value } = document.activeElement) => rosterGrid.isField(document.activeElement) && (id !== "line" || value);

  // The revision after a change of one's own. Of others before it the page lacks rows: the whole list comes after what is
  // still to be saved, and what is typed into the line stays. If it cannot come now, the page is still known to be old.
  function followTo(revision) {
    const held = grid().dataset.revision;
    if (revision - held <= 1) { grid().dataset.revision = revision; return; }
    requests.enqueue(async () => { if (!isBusy() && grid().dataset.revision === held) await rosterGrid.reload().catch(() => {}); });
  }

  async function reloadIfChanged(isBack) {
    const isLater = () => isBusy() || (!isBack && isTyping());
    if (document.hidden || isLater()) return;
    const { revision, version } = grid().dataset;
    const response = await requests.send(version);
    if (!response?.ok || isLater()) return;
    if (response.content !== revision && grid().dataset.revision === revision) rosterGrid.reload();
  }
  setInterval(() => reloadIfChanged(), 15_000);
  addEventListener("focus", () => reloadIfChanged());
  document.addEventListener("visibilitychange", () => reloadIfChanged());
  // Back shows the page as the browser has kept it: as it was left, or as it first was.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") reloadIfChanged(true);
  });

  return { followTo, hideMessagesLater, hideWhereSeen };
})();
