import { call, session } from "/inspector/client.js";
import { fill, h, skeleton, state } from "/inspector/dom.js";
import { showDifference } from "/inspector/diff.js";
import { short } from "/inspector/text.js";

/**
 * Compares two moments, of one session or of two.
 * @param {HTMLElement} main
 * @param {URLSearchParams} query
 */
export function compare(main, query) {
  let isShown = true;
  const [left, right] = ["left", "right"].map((name) => side(name, query));
  const result = h("div.comparison", { "aria-live": "polite" }, skeleton(4));
  fill(main,
    h("nav.crumbs", { "aria-label": "Path" }, h("a", { href: "#/sessions" }, "Sessions"), " / ", "Comparison"),
    h("div.head", h("h1", "Compare")),
    h("form.sides", { onsubmit: (event) => { event.preventDefault(); apply(); } }, left.node, h("span.versus", "with"), right.node, h("button.primary", { type: "submit" }, "Compare")),
    result);
  load();
  return () => { isShown = false; };

  function apply() {
    const filters = new URLSearchParams();
    for (const [name, value] of [...left.values(), ...right.values()]) if (value) filters.set(name, value);
    location.hash = `#/compare?${filters}`;
  }

  async function load() {
    try {
      const found = await call("/comparison", { query: Object.fromEntries(query), values: true });
      if (isShown) draw(found);
    } catch (error) {
      if (isShown) fill(result, state("Nothing to compare", error.message));
    }
  }

  /** @param {any} found */
  function draw(found) {
    const count = found.outputs.length + found.states.length;
    const caption = h("p.quiet", `Version ${found.left.version} of ${found.left.machine} with version ${found.right.version} of ${found.right.machine}.`);
    if (count === 0) return fill(result, caption, state("No difference", "Outputs and captured states are the same."));
    fill(result, caption, part("Outputs", found.outputs), part("Captured state", found.states),
      !session.isRevealed && h("p.quiet", "Reveal values to see how they differ."));
  }
}

/** @param {string} title @param {any[]} differences */
function part(title, differences) {
  return differences.length > 0 && h("section.panel", h("h3", title, h("span.count", String(differences.length))),
    differences.map((difference) => ("left" in difference || "right" in difference
      ? showDifference(difference.name, difference.left, difference.right)
      : h("p.hidden-change", h("code.path", difference.name), h("span.quiet", difference.concealed ? " differs, and is never shown" : " differs")))));
}

/** @param {string} name @param {URLSearchParams} query */
function side(name, query) {
  const id = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: query.get(name) ?? query.get("left") ?? "", "aria-label": `Session on the ${name}`, spellcheck: "false", autocomplete: "off" }));
  const version = /** @type {HTMLInputElement} */ (h("input.version", { type: "number", min: 0, placeholder: "newest", value: query.get(`${name}Version`) ?? "", "aria-label": `Version on the ${name}` }));
  const node = h("div.side", id, version, id.value && h("a.small", { href: `#/sessions/${id.value}` }, `Open ${short(id.value)}`));
  return { node, values: () => [[name, id.value.trim()], [`${name}Version`, version.value]] };
}
