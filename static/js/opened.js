// A row of the roster's table on a narrow page. It opens where it is tapped or where the keyboard comes to, and stays open, so
// that nothing above it moves. The line under it has what is changed most, and the row's buttons in a menu.
const openedRow = (() => {
  const narrow = matchMedia("(max-width: 47.99rem)");
  const MOST_CHOICES = 4; // side by side
  const template = (selector) => document.querySelector(`template${selector}`)?.content.firstElementChild;
  const lineOf = (row) => row.nextElementSibling?.matches(".opened") ? row.nextElementSibling : null;
  const rowOf = (part) => part.closest(".opened")?.previousElementSibling ?? part.closest("tr");
  const quantityOf = (row) => row.querySelector(".quantity");
  const headOf = (name) => document.querySelector(`#grid thead [data-field="${name}"]`);
  const cellOf = (row, name) => row.cells[headOf(name).cellIndex];
  const valueOf = (row, name) => cellOf(row, name).dataset.v ?? "";

  // Not while rows are selected: then the bar of the selection has what is done.
  const isSelecting = () => document.querySelector("#grid [name=pick]:checked");
  function open(row) {
    if (!narrow.matches || !row || isSelecting()) return;
    row.classList.add("open");
    if (!lineOf(row)) {
      const line = template("#opened").cloneNode(true);
      row.after(line);
      addChoices(row, line.querySelector(".segments"));
      addStats(row, line.querySelector(".row-stats"));
      refresh(row); // htmx takes links that have their addresses
      htmx.process(line);
    } else refresh(row);
  }

  function close(row) {
    lineOf(row)?.remove();
    row.classList.remove("open");
  }

  // A click on a row: a second tap closes it, and while others are selected it is too. True if nothing else is to be done.
  function toggle(row, isTap) {
    if (narrow.matches && isTap && isSelecting()) row.querySelector("[name=pick]").click();
    else if (isTap && row.matches(".open")) close(row);
    else open(row);
    if (narrow.matches && isTap) lineOf(row)?.scrollIntoView({ block: "nearest" });
    return narrow.matches && isTap;
  }

  document.addEventListener("keyup", ({ key, target }) => {
    if (/^(Tab|Arrow)/.test(key) && target.name !== "pick") open(target.closest?.("#grid tbody > tr[id]"));
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape" || !target.closest?.(".opened") || target.closest(".menu[open]")) return;
    const row = rowOf(target);
    close(row);
    row.querySelector("th a").focus();
  });

  // Fills the field of choices with the first field of the columns that has few of them, if this element has it.
  function addChoices(row, choices) {
    const select = [...document.querySelectorAll("#grid thead [data-field]")]
      .map(({ dataset }) => template(`[data-field="${dataset.field}"]`))
      .find((field) => field?.tagName === "SELECT" && field.options.length <= MOST_CHOICES);
    const options = [...select?.options ?? []];
    const isOwn = options.some(({ value }) => value === valueOf(row, select.name))
      && (valueOf(row, select.name) || cellOf(row, select.name).textContent.trim().length < 2); // or a power gives it
    if (!isOwn) { choices.remove(); return; }
    choices.name = select.name;
    choices.querySelector("legend").textContent = select.getAttribute("aria-label");
    choices.lastElementChild.append(...options.map(({ value, text }) => {
      const [label, input, words] = ["label", "input", "span"].map((tag) => document.createElement(tag));
      Object.assign(input, { type: "radio", name: `choice-${row.id}`, value });
      input.setAttribute("form", ""); // that of the page does not send it
      words.textContent = text;
      label.append(input, words, document.createElement("small"));
      return label;
    }));
  }

  // A field for each stat of the table, under its name.
  function addStats(row, place) {
    const heads = [...document.querySelectorAll("#grid thead .stat[data-field]")];
    if (!heads.length) { place.remove(); return; }
    place.append(...heads.map(({ dataset, title, textContent }) => {
      const field = template(`[data-field="${dataset.field}"]`).cloneNode(true);
      field.dataset.stat = dataset.field;
      field.removeAttribute("name"); // the form of the page does not send it
      const label = Object.assign(document.createElement("label"), { textContent: title || textContent });
      label.append(field);
      return label;
    }));
  }

  // The field of an opened row, or what stands around its choices.
  const fieldOf = (row, name) => lineOf(row)?.querySelector(name === "quantity" ? ".number" : `[data-stat="${name}"], .segments`);

  // Shows in the line what the row has, but for what is still to be saved.
  function refresh(row) {
    const line = lineOf(row);
    if (!line) return;
    line.querySelectorAll(".bad, .unsaved-note").forEach((note) => note.remove());
    line.querySelector("[data-edit]").setAttribute("href", row.querySelector("th a").getAttribute("href"));
    const [number, choices] = [fieldOf(row, "quantity"), fieldOf(row, "")];
    number.removeAttribute("aria-invalid");
    number.value = quantityOf(row).value;
    number.classList.toggle("unsaved", quantityOf(row).matches(".unsaved"));
    if (choices) {
      const value = rosterGrid.wantedOf(row, choices.name) ?? valueOf(row, choices.name);
      choices.querySelectorAll("input").forEach((each) => { each.checked = each.value === value; });
      showEffects(row, choices);
    }
    for (const field of line.querySelectorAll("[data-stat]")) {
      field.value = rosterGrid.wantedOf(row, field.dataset.stat) ?? valueOf(row, field.dataset.stat);
      field.removeAttribute("aria-invalid");
    }
    const [each, sum] = [".each a", ".sum"].map((part) => row.querySelector(part));
    const [unit, receipt] = [".unit", ".menu a"].map((part) => line.querySelector(part));
    unit.hidden = !each || each.textContent === sum.textContent; // of one alone the row says it
    receipt.hidden = !each;
    if (!each) return;
    unit.textContent = `× ${each.textContent}`;
    receipt.lastElementChild.textContent = unit.title = each.title;
    unit.href = receipt.href = each.href;
  }

  // Shows under each choice that is not taken what it would change of the points of the roster as it is saved.
  async function showEffects(row, choices) {
    const { revision } = document.getElementById("grid").dataset;
    if (choices.dataset.revision === revision) return;
    choices.dataset.revision = revision;
    for (const { checked, value, parentElement } of choices.querySelectorAll("input")) {
      const values = [[`set-${choices.name}`, value], ["pick", row.querySelector("[name=pick]").value]];
      const { effect } = checked ? {} : await rosterGrid.save(document.querySelector(".bulk").dataset.preview, values);
      if (choices.dataset.revision !== revision || !choices.isConnected) return;
      parentElement.lastElementChild.textContent = effect ?? "";
    }
  }

  // ---- what is changed in a line

  function setQuantity(row, value) {
    const quantity = quantityOf(row);
    quantity.value = value;
    quantity.dispatchEvent(new Event("input", { bubbles: true }));
    refresh(row);
    rosterGrid.changeQuantity(quantity);
  }

  document.addEventListener("click", ({ target }) => {
    const step = target.closest?.(".opened [data-step]");
    if (!step) return;
    const row = rowOf(step);
    setQuantity(row, Math.max(0, Math.trunc(Number(quantityOf(row).value) || 0) + Number(step.dataset.step)));
  });
  document.addEventListener("change", ({ target }) => {
    if (target.matches(".opened .number")) setQuantity(rowOf(target), target.value);
    const { stat } = target.dataset;
    if (stat) rosterGrid.change(rowOf(target), stat, target.value, valueOf(rowOf(target), stat));
    if (!target.matches(".opened .segments input")) return;
    const { name } = target.closest(".segments");
    rosterGrid.change(rowOf(target), name, target.value, valueOf(rowOf(target), name));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".opened :is(.number, [data-stat])")) return;
    event.preventDefault(); // it does not submit the page
    event.target.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // The menu has the buttons of the row, as they are when it is opened, below it or above it.
  document.addEventListener("toggle", ({ target }) => {
    if (!target.open || !target.matches(".opened .menu")) return;
    const menu = target.querySelector(".menu-body");
    menu.querySelectorAll("button").forEach((button) => button.remove());
    menu.prepend(...[...rowOf(target).querySelectorAll(".tools button")].map((each) => {
      const button = each.cloneNode(true);
      button.removeAttribute("class");
      button.removeAttribute("title");
      button.append(each.title);
      return button;
    }));
    menu.classList.remove("up");
    const covered = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom); // by the line that adds
    const { top, bottom, height } = menu.getBoundingClientRect();
    menu.classList.toggle("up", bottom > innerHeight - covered && top > height + target.offsetHeight);
  }, true);

  return { open, toggle, refresh, lineOf, rowOf, fieldOf };
})();
