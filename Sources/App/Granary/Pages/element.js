/**
 * Creates an element with a class and a text.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [className]
 * @param {string} [text] shown as text, never parsed as markup
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, className = "", text = "") {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}

/**
 * Creates an element with attributes and children.
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

/**
 * Sets the text of a node if it differs, because screen readers announce every change of a live region.
 * @param {Node} node
 * @param {string} text
 */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
