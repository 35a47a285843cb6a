// Requests of all scripts, and parts of the pages that answer them.
const requests = (() => {
  const TIMEOUT = 20_000; // milliseconds
  const texts = document.currentScript.dataset; // messages, translated

  // GETs a URL, or POSTs values to it. Returns the response with its `content` as text; null if there is none in time.
  async function send(url, { values, headers } = {}) {
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    const post = values && { method: "POST", body: new URLSearchParams(values), headers: { "X-CSRFToken": token, ...headers } };
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT), ...post });
      return Object.assign(response, { content: await response.text() });
    } catch {
      return null;
    }
  }

  const parse = (html) => new DOMParser().parseFromString(html, "text/html");

  // Replaces an element by the same one of another page, or adds or removes it as there; an unfolded one stays so.
  function replace(selector, page) {
    const [old, fresh] = [document, page].map((each) => each.querySelector(selector));
    if (!fresh) return old?.remove();
    if (old?.open !== undefined) fresh.open = old.open;
    if (old) old.replaceWith(fresh);
    else if (fresh.id) document.querySelector("main").append(fresh);
    htmx.process(fresh);
  }

  // Loads the page, or POSTs values to a URL that answers with it, in place of this one where it is scrolled to.
  const loadMain = (method, url, options) =>
    htmx.ajax(method, url, { target: "main", select: "main", swap: "outerHTML show:none", ...options });

  // Names a request, so that the site saves it once however often it is sent.
  const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(16)).join("-");

  return { TIMEOUT, texts, send, parse, replace, loadMain, newId };
})();
