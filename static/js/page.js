// Small conveniences. Every page works without them.
(() => {
  const SELECTED_ON_ARRIVAL = "[data-copy], [data-select], .element-form [type=number]";
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(SELECTED_ON_ARRIVAL)) event.target.select();
  });
  if (document.activeElement.matches("[data-select]")) document.activeElement.select(); // by autofocus, before this script

  // Buttons that copy the text of the field before them.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copied]");
    if (!button) return;
    const field = button.previousElementSibling;
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // an address without https has no clipboard of its own
    }
    button.lastChild.textContent = ` ${button.dataset.copied}`;
  });

  // Buttons that hand the link before them to the device's own share sheet, where it has one.
  if (navigator.share) document.documentElement.classList.add("can-send");
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-send]");
    if (!button) return;
    const url = button.parentElement.querySelector("[data-copy]").value;
    navigator.share({ title: button.dataset.send, url }).catch(() => {}); // closed without a choice
  });

  // Times in the reader's own zone; of the last days as an age, such as "2 min ago". The exact time is in the title.
  const language = document.documentElement.lang;
  const shownAs = (options) => new Intl.DateTimeFormat(language, { hourCycle: "h23", ...options });
  const clock = shownAs({ hour: "2-digit", minute: "2-digit" });
  const exact = shownAs({ dateStyle: "medium", timeStyle: "short" });
  const ages = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]]; // in seconds
  const OLD = 7 * 86400;

  function ageOf(seconds) {
    const [unit, length] = UNITS.find(([, each]) => seconds >= each) || UNITS.at(-1);
    return ages.format(unit === "second" ? 0 : -Math.floor(seconds / length), unit).replace(". ", " ");
  }

  function showTimes() {
    document.querySelectorAll("time[data-ago], time[data-clock]").forEach((each) => {
      const at = new Date(each.dateTime);
      const seconds = (Date.now() - at) / 1000;
      each.title = exact.format(at);
      if ("clock" in each.dataset && seconds < 86400) each.textContent = clock.format(at);
      else if (seconds < OLD) each.textContent = ageOf(seconds);
    });
  }
  showTimes();
  setInterval(showTimes, 30_000);
  document.addEventListener("htmx:afterSwap", showTimes);

  // Menus close when something else is chosen, or on Escape.
  const OPEN_MENU = "details:is(.menu, .play-gauges)[open]";
  const closeMenus = (but) => document.querySelectorAll(OPEN_MENU).forEach((menu) => { if (menu !== but) menu.open = false; });
  document.addEventListener("click", (event) => closeMenus(event.target.closest(OPEN_MENU)));
  document.addEventListener("keydown", (event) => {
    const menu = document.activeElement && document.activeElement.closest(OPEN_MENU);
    if (event.key !== "Escape") return;
    closeMenus();
    if (!menu) return;
    event.preventDefault(); // it would close a panel around the menu
    menu.querySelector("summary").focus();
  });

  // A points limit of one's own is typed next; the arrows go on to other sizes.
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "size" || target.value !== "other") return;
    const limit = document.getElementById("id_budget");
    if (target.matches(":focus-visible")) limit.scrollIntoView({ block: "nearest" });
    else limit.focus();
  });

  // A live preview goes to its own address: htmx would take that of the button that was pressed last, and save.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target.id !== "preview") return;
    event.detail.path = event.detail.elt.getAttribute("hx-post");
    if (document.querySelector("[data-plotted][open]")) event.detail.parameters.plot = "1";
  });

  // The choice at a field that somebody else has changed too puts that value into the field; typing chooses one's own.
  document.addEventListener("change", ({ target }) => {
    const choice = target.closest(".conflict [type=radio]");
    if (choice) choice.form.elements[choice.closest(".conflict").dataset.field].value = choice.dataset.value;
  });
  document.addEventListener("input", ({ target }) => {
    const mine = target.name && target.form?.querySelector(`.conflict[data-field="${CSS.escape(target.name)}"] [value="mine"]`);
    if (mine) Object.assign(mine, { checked: true }).dataset.value = target.value;
  });

  // The receipt is collapsed where the preview covers the form, print options and the guide up to tablets, plots and the price of home on phones.
  // Sections that somebody opens
  // or closes stay so when the preview is replaced.
  const narrow = matchMedia("(max-width: 61.99rem)");
  const FOLDED = ["receipt", "paper", "look", "own", "guide"];
  const phone = matchMedia("(max-width: 40rem)");
  let folds = {}; // of what somebody opened or closed
  const covers = (receipt) => getComputedStyle(receipt.querySelector(".price-details")).position === "absolute";
  const fold = () => document.querySelectorAll("[data-fold]").forEach((each) => {
    const { fold: name } = each.dataset;
    if (name in folds) each.open = folds[name];
    else if (["plot", "price"].includes(name) && phone.matches) each.open = false;
    else if (FOLDED.includes(name)) each.open = !(name === "receipt" ? covers(each) : narrow.matches);
  });
  fold();
  narrow.addEventListener("change", () => {
    folds = {};
    fold();
  });
  document.addEventListener("click", (event) => {
    const details = event.target.closest("[data-fold] > summary")?.parentElement;
    if (details) folds[details.dataset.fold] = !details.open; // it turns after the click
  });
  document.addEventListener("htmx:afterSwap", fold);
})();
