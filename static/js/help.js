// Help: the terms and the rows of the quick reference with all the words that are typed, at once. Without this the form does it.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("help-q");
  const skipped = field.dataset.skipped.split(" ");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/[\s?!.,;:"()]+/).filter((word) => word && !skipped.includes(word))
      .map((word) => word.replace(/(?<=\w{3})(?:ies|es|s|(?<=\w{4})ed|d|ing)$/, "")); // as the form does
    let any = false;
    for (const group of document.querySelectorAll(".help-group, #reference section")) {
      const title = group.querySelector("h2").textContent;
      let shown = false;
      for (const entry of group.querySelectorAll(".help-entry, tbody tr, section > p")) {
        entry.hidden = !words.every((word) => `${document.title} ${title} ${entry.textContent}`.toLowerCase().includes(word));
        shown ||= !entry.hidden;
      }
      group.hidden = !shown;
      any ||= shown;
    }
    for (const reference of document.querySelectorAll("#reference")) reference.hidden = !reference.querySelector("section:not([hidden])");
    for (const rest of document.querySelectorAll(".help-codes")) rest.hidden = field.value.trim() !== "";
    document.getElementById("help-none").hidden = any;
  });
});
