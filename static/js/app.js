// Small conveniences. Every page works without them.
document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-copy]")) event.target.select();
});

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

// Menus close when something else is chosen, or on Escape.
const closeMenus = (but) => document.querySelectorAll("details.menu[open]").forEach((menu) => { if (menu !== but) menu.open = false; });
document.addEventListener("click", (event) => closeMenus(event.target.closest("details.menu")));
document.addEventListener("keydown", (event) => {
  const menu = document.activeElement && document.activeElement.closest("details.menu[open]");
  if (event.key !== "Escape") return;
  closeMenus();
  if (menu) menu.querySelector("summary").focus();
});

// A changed number on the roster page is saved at once, as the hidden first button of its form would.
document.addEventListener("change", (event) => {
  if (event.target.matches(".quantity")) event.target.form.querySelector("[data-save-quantities]").click();
  if (event.target.matches("[data-reload-on-change]")) redraw(event.target);
});

// A live preview goes to its own address: htmx would take that of the button that was pressed last, and save.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.target.id === "preview") event.detail.path = event.detail.elt.getAttribute("hx-post");
});

// A field that decides which others there are: ask for the form anew, with all that was typed. Nothing can be
// typed meanwhile, so nothing that was typed is lost.
function redraw(field) {
  const form = field.form;
  const values = all(new FormData(form));
  const others = [...form.elements].filter((other) => other !== field && !other.disabled);
  const able = (enabled) => others.forEach((other) => { other.disabled = !enabled; });
  able(false);
  const address = form.querySelector("[data-reload]").formAction;
  htmx
    .ajax("POST", address, { source: field, values, target: "#element-form", select: "#element-form", swap: "outerHTML" })
    .finally(() => able(true));
}

function all(data) {
  const value = (key) => (data.getAll(key).length > 1 ? data.getAll(key) : data.get(key));
  return Object.fromEntries([...new Set(data.keys())].map((key) => [key, value(key)]));
}

// Where the preview lies over the form its receipt begins folded. What somebody folds or unfolds in a preview stays so
// when the preview is drawn anew.
const folds = matchMedia("(max-width: 61.99rem)").matches ? { receipt: false } : {};
const fold = () => document.querySelectorAll("[data-fold]").forEach((each) => {
  if (each.dataset.fold in folds) each.open = folds[each.dataset.fold];
});
fold();
document.addEventListener("click", (event) => {
  const details = event.target.closest("[data-fold] > summary")?.parentElement;
  if (details) folds[details.dataset.fold] = !details.open; // it turns after the click
});
document.addEventListener("htmx:afterSwap", fold);
