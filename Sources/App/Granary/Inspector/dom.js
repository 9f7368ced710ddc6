/**
 * Creates an element.
 * @param {string} name a tag and classes: `div.card.wide`
 * @param {Record<string, unknown> | Child} [properties] attributes, listeners (`onclick`), or the first child
 * @param {...Child} children texts and nodes; texts are never parsed as markup
 * @returns {HTMLElement}
 * @typedef {Node | string | number | null | undefined | false | Child[]} Child
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  if (properties !== null && typeof properties === "object" && !(properties instanceof Node) && !Array.isArray(properties)) {
    for (const [key, value] of Object.entries(properties)) set(node, key, value);
  } else {
    children.unshift(properties);
  }
  append(node, children);
  return node;
}

/** @param {HTMLElement} node @param {string} key @param {unknown} value */
function set(node, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key.startsWith("on")) node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
  else if (key === "value" || key === "checked" || key === "disabled") node[key] = value;
  else node.setAttribute(key, value === true ? "" : String(value));
}

/** @param {Node} node @param {Child[]} children */
function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces the children of a node. @param {Node} node @param {...Child} children */
export function fill(node, ...children) {
  node.textContent = "";
  append(node, children);
}

/** Sets a text if it differs, because screen readers announce every change of a live region. @param {Node} node @param {string} text */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Shows a short message at the edge of the page.
 * @param {string} text
 * @param {{isError?: boolean, action?: {label: string, href: string}}} [options]
 */
export function notify(text, { isError = false, action } = {}) {
  const node = h(`div.notice${isError ? ".is-error" : ""}`, h("span", text),
    action && h("a", { href: action.href }, action.label),
    h("button.plain", { type: "button", "aria-label": "Dismiss", onclick: () => node.remove() }, "×"));
  document.querySelector("#notices")?.append(node);
  setTimeout(() => node.remove(), isError || action ? 12000 : 5000);
}

/**
 * A state in place of content: empty, loading, or an error.
 * @param {string} title
 * @param {string} detail
 * @param {Child} [action]
 */
export function state(title, detail, action) {
  return h("div.state", h("h2", title), h("p", detail), action);
}

/** Placeholders while content is loaded. @param {number} count */
export function skeleton(count) {
  return h("div.skeleton", { "aria-hidden": "true" }, Array.from({ length: count }, () => h("i")));
}
