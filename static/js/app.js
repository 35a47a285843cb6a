// Small conveniences. Every page works without them.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-copy]")) event.target.select();
});

// A changed number on the roster page is saved at once, as the hidden first button of its form would.
document.addEventListener("change", (event) => {
  if (event.target.matches(".quantity")) event.target.form.querySelector('button[value="quantities"]').click();
  if (event.target.matches("[data-reshapes]")) redraw(event.target);
});

// A field that decides which others there are: ask for the form anew, with all that was typed. Nothing can be
// typed meanwhile, so nothing that was typed is lost.
function redraw(field) {
  const form = field.form;
  const values = { ...all(new FormData(form)), do: "show" };
  const others = [...form.elements].filter((other) => other !== field && !other.disabled);
  const able = (enabled) => others.forEach((other) => { other.disabled = !enabled; });
  able(false);
  htmx
    .ajax("POST", location.href, { source: field, values, target: "#element-form", select: "#element-form", swap: "outerHTML" })
    .finally(() => able(true));
}

function all(data) {
  const value = (key) => (data.getAll(key).length > 1 ? data.getAll(key) : data.get(key));
  return Object.fromEntries([...new Set(data.keys())].map((key) => [key, value(key)]));
}
