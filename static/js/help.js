// Help: the terms and the rows of the quick reference with all the words that are typed, at once, how many there are, and
// the words in color. Without this the form finds them.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("help-q");
  const count = document.getElementById("help-count"); // of one game; all games are searched by the form alone
  const skipped = field.dataset.skipped.split(" ");
  const wordsOf = (text) => americanSpelling(text).split(/[\s?!.,;:"()]+/).filter((word) => word && !skipped.includes(word))
    .map((word) => word.replace(/(?<=\w{3})(?:ies|es|s|(?<=\w{4})ed|d|ing)$/, "")); // as the form does

  function filter(words) {
    let number = 0;
    for (const group of document.querySelectorAll(".help-group, #reference section")) {
      const title = group.querySelector("h2").textContent;
      const entries = [...group.querySelectorAll(".help-entry, tbody tr, section > p")];
      for (const entry of entries) {
        entry.hidden = !words.every((word) => `${document.title} ${title} ${entry.textContent}`.toLowerCase().includes(word));
      }
      const shown = entries.filter((entry) => !entry.hidden).length;
      group.hidden = !shown;
      number += shown;
    }
    for (const reference of document.querySelectorAll("#reference")) reference.hidden = !reference.querySelector("section:not([hidden])");
    for (const rest of document.querySelectorAll(".help-codes")) rest.hidden = field.value.trim() !== "";
    document.getElementById("help-none").hidden = number > 0;
    count.textContent = words.length ? `${count.dataset.label} ${number}` : "";
  }

  // Ranges in the text that is there: nothing is changed for screen readers or for a copy.
  function highlight(words) {
    const ranges = [];
    for (const entry of words.length ? document.querySelectorAll(".help-entry, .reference, .help-tasks") : []) {
      const texts = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode.data.replaceAll("İ", "I").toLowerCase(); // places stay: no other letter gets longer
        for (const word of words) {
          for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
            const range = new Range();
            range.setStart(texts.currentNode, start);
            range.setEnd(texts.currentNode, start + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights?.set("found", new Highlight(...ranges));
  }

  function update() {
    const words = wordsOf(field.value);
    if (count) filter(words);
    highlight(words);
  }
  if (count) field.addEventListener("input", update);
  if (field.value) update();
});
