import { element, say } from "./element.js";
import { typeName } from "./schema.js";

/** How long outputs must be unchanged before the next announcement, and the longest delay of one, in milliseconds. */
const rest = 1000;
const longest = 5000;

/** The length of the longest text that screen readers announce. */
const longestText = 200;

/**
 * The current value of each output.
 *
 * A screen reader announces the first change immediately. If others follow within a second, it announces only the
 * result, so that frequent changes do not drown out everything else.
 */
export class OutputList {
  /** @type {Map<string, HTMLElement>} */
  #values = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The time of the last announcement. */
  #announced = 0;

  /** @param {import("./machines.js").Port[]} ports */
  constructor(ports) {
    this.node = element("dl", "console-outputs");
    this.node.setAttribute("aria-live", "polite");
    for (const { name, schema } of ports) {
      const term = element("dt", "", name);
      term.title = typeName(schema);
      const value = element("dd", "", "–");
      value.dataset.output = name;
      this.#values.set(name, value);
      const row = element("div");
      // Without this, screen readers announce a changed value without the name of its output.
      row.setAttribute("aria-atomic", "true");
      row.append(term, value);
      this.node.append(row);
    }
  }

  /** @param {Record<string, unknown>} changes */
  show(changes) {
    const now = performance.now();
    const isResting = this.#timer === undefined;
    if (isResting) this.#announced = now;
    // Assistive technology does not announce changes of a region while it is busy.
    else if (now - this.#announced < longest) this.node.setAttribute("aria-busy", "true");
    else this.#announce(now);
    for (const [name, value] of Object.entries(changes)) this.#set(name, value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.node.removeAttribute("aria-busy");
    }, rest);
  }

  /** Clears the values of the previous session. */
  clear() {
    for (const value of this.#values.values()) value.textContent = "–";
  }

  /** @param {number} now */
  #announce(now) {
    this.#announced = now;
    this.node.removeAttribute("aria-busy");
  }

  /**
   * @param {string} name
   * @param {unknown} changed
   */
  #set(name, changed) {
    const value = this.#values.get(name);
    if (value === undefined) return;
    // A new session may lack an output.
    const text = typeof changed === "string" ? changed : JSON.stringify(changed) ?? "–";
    if (text.length > longestText) value.parentElement.setAttribute("aria-live", "off");
    else value.parentElement.removeAttribute("aria-live");
    say(value, text);
  }
}
