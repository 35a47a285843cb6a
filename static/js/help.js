// Help: the terms with all the words that are typed, at once. Without this the form does it.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("help-q");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    let any = false;
    for (const group of document.querySelectorAll(".help-group")) {
      let shown = false;
      for (const entry of group.querySelectorAll(".help-entry")) {
        entry.hidden = !words.every((word) => entry.textContent.toLowerCase().includes(word));
        shown ||= !entry.hidden;
      }
      group.hidden = !shown;
      any ||= shown;
    }
    for (const rest of document.querySelectorAll("#reference, .help-codes")) rest.hidden = field.value.trim() !== "";
    document.getElementById("help-none").hidden = any;
  });
});
