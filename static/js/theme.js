// Bootstrap takes its colours from an attribute: follow the system's choice, before the first paint.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.setAttribute("data-bs-theme", dark.matches ? "dark" : "light");
  document.documentElement.classList.add("js");
  dark.addEventListener("change", apply);
  apply();
})();
