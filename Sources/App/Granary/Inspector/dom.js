import { fill, h, say } from "/inspector/element.js";

export { fill, h, say };

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
 * @param {import("/inspector/element.js").Child} [action]
 */
export function state(title, detail, action) {
  return h("div.state", h("h2", title), h("p", detail), action);
}

/** Placeholders while content is loaded. @param {number} count */
export function skeleton(count) {
  return h("div.skeleton", { "aria-hidden": "true" }, Array.from({ length: count }, () => h("i")));
}
