// The form of an element: steps of its stats, chosen abilities as chips, errors and prices from the live preview.
// Without it every field is still there, and the page shows errors and prices when it is sent.

// As `american` of the rules' grammar; the search of Help (help.js) compares by it, too.
const americanSpelling = (text) => text.toLowerCase().replaceAll("armour", "armor").replace(/manoeuvre?/g, "maneuver");

(() => {
  // A button beside a stat sets its next value: of a number by its step, of a choice by the order of its prices.
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".step");
    if (!button) return;
    const field = button.closest(".stat").querySelector("input, select");
    const [before, up] = [field.value, button.matches(":last-child")];
    if (field.matches("select")) field.value = nextChoice(field, up) ?? before;
    else if (up) field.stepUp();
    else field.stepDown();
    if (field.value === before) return;
    field.dispatchEvent(new Event(field.matches("select") ? "change" : "input", { bubbles: true }));
  });

  function nextChoice(field, up) {
    const values = field.closest(".stat").dataset.values.split(",");
    const place = values.indexOf(field.value);
    return place < 0 ? undefined : values[place + (up ? 1 : -1)];
  }

  // An alternate stand that gets a type brings the next empty one.
  document.addEventListener("change", ({ target }) => {
    const stand = target.name?.endsWith?.("-type") && target.value && target.closest(".alternate");
    if (!stand || stand.nextElementSibling?.matches(".alternate")) return;
    const [now, next] = [parseInt(target.name.slice(5), 10), parseInt(target.name.slice(5), 10) + 1];
    if (next > Number(stand.parentElement.dataset.most)) return;
    stand.insertAdjacentHTML("afterend", stand.outerHTML.replaceAll(`form-${now}-`, `form-${next}-`)); // as the site drew it
    const legend = stand.nextElementSibling.querySelector("legend");
    legend.textContent = legend.textContent.replace(now, next);
  });

  // A live preview draws the plot only where it is unfolded.
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches("[data-plotted][open]:not([hidden], :has(.plot-and-table))")) htmx.trigger(target.closest("form"), "change");
  }, true);

  // Ctrl+Enter saves; with Shift it also opens the form of another new element.
  document.addEventListener("keydown", (event) => {
    const isNowhere = event.target.matches?.("body, #editor-panel"); // after a click on plain text
    const form = isNowhere ? document.querySelector(".element-form") : event.target.closest?.(".element-form");
    if (!form || event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit((event.shiftKey && form.querySelector("[data-another]")) || form.querySelector(".addbar .btn-primary"));
  });

  // The data of a form that is opened, or of its preview: errors at their fields, else findings and the price of each step.
  // One preview swaps several parts: the data are one of these.
  function showLive({ target }) {
    const [form, live] = ["element-form", "live"].map((id) => document.getElementById(id));
    if (!target.contains(live)) return;
    const { errors, findings, steps, each } = JSON.parse(live.dataset.live);
    for (const field of form.querySelectorAll("input:not([type=hidden]), select, textarea")) {
      if (!field.name) continue;
      if (errors) showError(field, errors[field.name]);
      const [severity, text] = findings?.[field.name] || [];
      const place = (findings || errors?.[field.name]) && showText(field, "finding", text); // of what was typed before
      if (place) place.className = `invalid-feedback finding ${severity}${isEarly(field) ? " early" : ""}`;
    }
    if (!errors) return;
    showWaiting(form, Object.keys(errors).length > 0);
    document.getElementById("form-errors").textContent = errors.__all__ || "";
    for (const place of form.querySelectorAll("[data-each]")) if (each !== undefined) place.textContent = each;
    for (const [name, both] of Object.entries(steps || {})) {
      form.querySelectorAll(`[data-stat="${name}"] .step`).forEach((button, number) => {
        const [, change, label] = both[number] || ["", "", ""];
        button.disabled = !both[number] && document.activeElement !== button; // a disabled one would lose the focus
        button.querySelector("small").textContent = change;
        if (label) button.ariaLabel = button.title = label;
      });
    }
  }
  for (const event of ["DOMContentLoaded", "htmx:afterSwap"]) document.addEventListener(event, showLive);

  // What a new element lacks is no fault before its field was left, or all was sent.
  const isEarly = ({ form, dataset }) => Boolean(form.elements.request_id) && !("left" in dataset || "refused" in form.dataset);
  document.addEventListener("focusout", ({ target }) => {
    if (!target.closest(".element-form")) return;
    target.dataset.left = "";
    document.getElementById(`id_${target.name}_finding`)?.classList.remove("early");
  });

  function showError(field, error) {
    if (!showText(field, "error", error)) return;
    field.classList.toggle("is-invalid", Boolean(error));
    if (error) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  // A text at a field, of several boxes at the first. Returns its place; nothing if it stays as it is.
  function showText(field, kind, text) {
    const id = `id_${field.name}_${kind}`;
    let place = document.getElementById(id);
    if (!text && !place) return undefined;
    if (place?.querySelector(".conflict")) return undefined; // its choice stays until it is saved
    const first = field.form.elements[field.name];
    if ((first.length && first.tagName !== "SELECT" ? first[0] : first) !== field) return undefined;
    if (!place) {
      place = Object.assign(document.createElement("div"), { id, className: "invalid-feedback" });
      const before = field.closest(".stat")?.querySelector(".steps") || (kind === "finding" && field.closest(".picker")?.querySelector(".search"));
      if (before) before.before(place);
      else (field.closest(".row-of-fields, .form-field, .pick, fieldset") || field.parentNode).append(place);
    }
    place.textContent = text || "";
    const others = (field.getAttribute("aria-describedby") || "").split(" ").filter((each) => each && each !== id);
    field.setAttribute("aria-describedby", [...others, ...(text ? [id] : [])].join(" "));
    return place;
  }

  // Beside a wrong field the last price is old: the panel says which field it waits for, and the button is no longer bright.
  function showWaiting(form, isWrong) {
    form.classList.toggle("stale", isWrong);
    if (isWrong) for (const price of form.querySelectorAll(".total strong, [data-each]")) price.textContent = "–";
    const note = form.querySelector(".preview .waits");
    if (!note) return;
    note.hidden = !isWrong;
    const wrong = new Set([...form.querySelectorAll("[aria-invalid=true]")].map((each) => each.name));
    const field = wrong.size === 1 && form.querySelector("[aria-invalid=true]");
    const label = field && (field.closest("fieldset:not(:has(.form-control))")?.querySelector("legend") || field.labels?.[0]);
    const text = label ? note.dataset.waits.replace("{field}", label.textContent.trim()) : note.dataset.other;
    note.lastElementChild.textContent = wrong.size > 1 ? note.dataset.several.replace("{n}", wrong.size) : text;
  }

  // A browser shows the caret of a field that gets the focus, which may be behind the bar at the bottom.
  document.addEventListener("focusin", ({ target }) => {
    if (!target.closest("#element-form .main-column")) return;
    requestAnimationFrame(() => {
      if (isSearch(target)) listOf(target).scrollIntoView({ block: "nearest" });
      target.scrollIntoView({ block: "nearest" });
    });
  });

  // A browser would submit "" for text that is no number. A preview is not asked for then: the last price stays.
  const refuseBad = (event, form) => {
    const bad = [...(form.elements || [])].find((field) => field.validity?.badInput);
    if (!bad) return undefined;
    event.preventDefault();
    showError(bad, form.dataset.bad);
    return bad;
  };
  document.addEventListener("submit", (event) => { if (event.target.matches(".element-form")) refuseBad(event, event.target)?.focus(); });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, target } = event.detail;
    if (target?.id === "preview" && elt.matches(".element-form") && refuseBad(event, elt)) showWaiting(elt, true);
    if (target?.matches(".odds-against > *") && !target.closest("details").open) event.preventDefault(); // computed only where it is seen
  });

  // Abilities, traits and powers: the selected ones come before the search, all others in their groups.
  const isChosen = (pick) => {
    const control = pick.querySelector("input, select");
    return control.type === "checkbox" ? control.checked : control.value !== "";
  };
  document.addEventListener("change", ({ target }) => {
    const pick = target.closest(".picker .pick");
    if (!pick || target !== pick.querySelector("input, select")) return;
    const picker = pick.closest(".picker");
    const home = isChosen(pick) ? picker.querySelector(".chosen") : picker.querySelector(`[data-picks="${pick.dataset.group}"]`);
    if (pick.parentNode === home) return;
    const focused = document.activeElement === target;
    const after = [...home.children].find((each) => !isChosen(pick) && Number(each.dataset.place) > Number(pick.dataset.place));
    home.insertBefore(pick, after || null);
    if (focused) (isChosen(pick) ? target : picker.querySelector("[role=combobox]")).focus();
  });

  // The name of a selected one unfolds what it does; the cross beside it removes it.
  document.addEventListener("click", (event) => {
    const pick = event.target.closest(".chosen > .pick > label")?.parentElement;
    if (!pick) return;
    if (pick.querySelector("input")) event.preventDefault();
    pick.classList.toggle("explained");
  });

  // The search box: a combobox with a list, https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
  const MAX = 8;
  const optionsIn = (list) => [...list.querySelectorAll("[role=option]")];
  const listOf = (box) => document.getElementById(box.getAttribute("aria-controls"));

  // Words between spaces; "10 cm" is one, as "10cm".
  const normalize = (text) => ` ${americanSpelling(text).replace(/[^\p{L}\p{N}]+/gu, " ").replace(/(\d) (?=\p{L})/gu, "$1")}`;
  const withoutSpaces = (text) => normalize(text).replaceAll(" ", "");

  // Names and other words are found by any part, spaces or not; explanations and groups by the beginnings of their words.
  function matchingOptions(box) {
    const [typed, words] = [withoutSpaces(box.value), normalize(box.value).trim().split(" ")];
    const picks = [...box.closest(".picker").querySelectorAll(".pick, .pick-groups > details:not(:has(.picks))")];
    const found = picks.filter((pick) => pick.tagName === "DETAILS" || !isChosen(pick)).map((pick) => {
      const [label, code] = [pick.querySelector("label, summary").textContent, withoutSpaces(pick.dataset.code || "")];
      const group = box.closest(".picker").querySelector(`[data-picks="${pick.dataset.group}"]`)?.previousElementSibling.firstChild.data || "";
      const [names, texts] = [withoutSpaces(`${label} ${pick.dataset.words || ""}`), normalize(`${code} ${group} ${(pick.matches(".pick") ? pick : pick.querySelector("summary")).textContent}`)];
      const isExact = code === typed || withoutSpaces(label).startsWith(typed);
      const isNamed = names.includes(typed) || words.every((word) => names.includes(word));
      const fits = isExact || isNamed || words.every((word) => texts.includes(` ${word}`));
      return { pick, group, fits, rank: Number(pick.dataset.rank || 900) + (isExact ? 0 : 1000) + (isNamed ? 0 : 1000) };
    });
    return found.filter(({ fits }) => fits).sort((one, other) => one.rank - other.rank).slice(0, MAX);
  }

  // One option for a check box, one for each tier of a select; a group with fields of its own is unfolded.
  function optionsOf(pick) {
    const text = pick.querySelector(".form-text")?.textContent || "";
    const label = pick.querySelector("label, summary").textContent.trim().replace(/\s+/g, " ");
    if (pick.tagName === "DETAILS") return [{ label, text, details: pick }];
    const control = pick.querySelector("input, select");
    if (control.type === "checkbox") return [{ label, text, control, value: true }];
    return [...control.options].filter((each) => each.value).map((each) => ({ label: `${label}: ${each.text}`, text, control, value: each.value }));
  }

  function showList(box) {
    const list = listOf(box);
    const found = matchingOptions(box);
    list.replaceChildren(...[...new Set(found.map(({ group }) => group))].flatMap((group) => {
      const items = found.filter((each) => each.group === group).flatMap(({ pick }) => optionsOf(pick)).map((each) => {
        const item = document.createElement("li");
        item.setAttribute("role", "option");
        item.choice = each;
        item.append(each.label, Object.assign(document.createElement("small"), { textContent: each.text }));
        return item;
      });
      if (!box.value || !group) return items; // the first ones are those that are used most
      const head = Object.assign(document.createElement("li"), { className: "head", role: "presentation", textContent: group });
      return [head, ...items];
    }));
    optionsIn(list).forEach((item, number) => { item.id = `${list.id}-${number}`; });
    list.hidden = !found.length;
    const status = list.parentElement.querySelector("[data-none]");
    status.textContent = found.length ? "" : status.dataset.none;
    box.setAttribute("aria-expanded", String(found.length > 0));
    activate(box, box.value && found.length ? 0 : -1);
  }

  function activate(box, number) {
    const items = optionsIn(listOf(box));
    items.forEach((item, each) => item.setAttribute("aria-selected", String(each === number)));
    box.setAttribute("aria-activedescendant", items[number]?.id || "");
    items[number]?.scrollIntoView({ block: "nearest" });
  }

  function closeList(box) {
    listOf(box).hidden = true;
    if (!box.value) listOf(box).parentElement.querySelector("[data-none]").textContent = "";
    box.setAttribute("aria-expanded", "false");
    box.setAttribute("aria-activedescendant", "");
  }

  function chooseOption(box, { control, value, details }) {
    if (details) {
      box.value = "";
      closeList(box);
      details.open = true;
      [...details.querySelectorAll("select, input")].find((each) => !each.value)?.focus();
      return;
    }
    if (value === true) control.checked = true;
    else control.value = value;
    box.value = "";
    closeList(box);
    control.dispatchEvent(new Event("change", { bubbles: true }));
    box.focus();
  }

  const isSearch = (target) => target.matches?.(".picker [role=combobox]");
  document.addEventListener("focusin", ({ target }) => { if (isSearch(target)) showList(target); });
  document.addEventListener("focusout", ({ target }) => { if (isSearch(target)) closeList(target); });
  document.addEventListener("input", (event) => {
    if (!isSearch(event.target)) return;
    event.stopPropagation(); // it is no field of the form
    showList(event.target);
  }, true);
  document.addEventListener("keydown", (event) => {
    const box = event.target;
    if (!isSearch(box)) return;
    const items = optionsIn(listOf(box));
    const active = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault(); // it would save
      if (!listOf(box).hidden && active >= 0) chooseOption(box, items[active].choice);
    } else if (event.key === "Escape") {
      if (!listOf(box).hidden || box.value) event.preventDefault(); // it would close the panel
      if (listOf(box).hidden || !listOf(box).children.length) box.value = "";
      closeList(box);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (listOf(box).hidden) showList(box);
      const last = optionsIn(listOf(box)).length - 1;
      if (event.key === "ArrowDown") activate(box, active >= last ? 0 : active + 1);
      else activate(box, active <= 0 ? last : active - 1);
    }
  });
  // Before the box loses the focus, which closes the list.
  document.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item?.choice) chooseOption(item.closest(".picker").querySelector("[role=combobox]"), item.choice);
  });
})();
