// What has to come before the first paint.
document.documentElement.classList.add("js");

// Where the main pointer is a finger, a field with the focus on arrival would open a keyboard over half of the page.
if (matchMedia("(pointer: coarse)").matches) {
  const blur = ({ target }) => { if (target.matches("[autofocus]:is(input, textarea)")) target.blur(); };
  addEventListener("focusin", blur);
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => removeEventListener("focusin", blur), { capture: true });
}
