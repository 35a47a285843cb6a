// Requests of all scripts, and parts of the pages that answer them.
const requests = (() => {
  const TIMEOUT = 20_000; // milliseconds
  const KEPT = 8192; // characters: browsers send on 64 KiB in all of a page that is left
  const texts = document.currentScript.dataset; // messages, translated

  let queue = Promise.resolve();
  let queued = 0;

  // Runs a save after those before it, so that each answer follows the one before it. One that fails stops no other.
  function enqueue(save) {
    queued += 1;
    queue = queue.then(save).catch(reportError).finally(() => { queued -= 1; });
  }
  // What is sent is saved although the page is left; what waits for its turn would be lost.
  addEventListener("beforeunload", (event) => { if (queued > 1) event.preventDefault(); });

  // GETs a URL, or POSTs values to it. Returns the response with its `content` as text; null if there is none in time.
  async function send(url, { values, headers } = {}) {
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    const body = new URLSearchParams(values);
    const keepalive = body.toString().length < KEPT;
    const post = values && { method: "POST", body, keepalive, headers: { "X-CSRFToken": token, ...headers } };
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

  return { TIMEOUT, texts, enqueue, send, parse, replace, loadMain, newId };
})();
