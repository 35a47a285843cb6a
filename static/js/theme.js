// What has to come before the first paint.
document.documentElement.classList.add("js");

// Where the main pointer is a finger, a field with the focus on arrival would open a keyboard over half of the page.
if (matchMedia("(pointer: coarse)").matches) {
  const blur = ({ target }) => {
    if (!target.matches("[autofocus]:is(input, textarea)")) return;
    target.blur();
    stop(); // the next focus is meant, by a script or an aid too
  };
  const stop = () => removeEventListener("focusin", blur);
  addEventListener("focusin", blur);
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, stop, { capture: true });
  addEventListener("load", () => requestAnimationFrame(stop)); // before it the browser gives the focus, if at all
}
