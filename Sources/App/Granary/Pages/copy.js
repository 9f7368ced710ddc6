import { commands } from "./commands.js";
import { h, say } from "./element.js";
import { format } from "./link.js";

/** Copies an input of a console with its value: as a link to its form, or as code that sends it to a new session. */
export class CopyBar {
  #select = /** @type {HTMLSelectElement} */ (h("select", { "aria-label": "Input to copy" }));
  #note = h("p.note", { role: "status" });
  #text = /** @type {HTMLTextAreaElement} */ (h("textarea.copied", { readonly: true, rows: 4, hidden: true, "aria-label": "Text to copy", spellcheck: "false" }));

  /**
   * @param {import("./machines.js").Machine} machine
   * @param {unknown} parameters those of the session
   * @param {(name: string) => unknown} value the present value of an input, which may throw an error
   */
  constructor(machine, parameters, value) {
    this.#select.append(...machine.inputs.map(({ name }) => new Option(name)));
    const chosen = () => machine.inputs[Math.max(0, this.#select.selectedIndex)];
    const code = (/** @type {"curl" | "JavaScript"} */ language) => commands(machine, { input: chosen(), value: value(chosen().name), parameters })[language];
    const link = () => {
      const content = JSON.stringify(value(chosen().name));
      return location.origin + format({ find: "", places: [{ machine: machine.name, input: chosen().name, value: content }] });
    };
    const button = (/** @type {string} */ name, /** @type {() => string} */ make) => h("button.quiet-button", {
      type: "button", "aria-label": `Copy ${name === "Link" ? "a link" : `as ${name}`}`,
      onclick: () => {
        try {
          this.#copy(make());
        } catch (error) {
          say(this.#note, error.message);
        }
      },
    }, name);
    this.node = h("div.copy", { role: "group", "aria-label": "Copy an input" },
      h("span.type", "Copy"), this.#select, button("Link", link), button("curl", () => code("curl")), button("JavaScript", () => code("JavaScript")), this.#note, this.#text);
  }

  /** Chooses the input that the user is working on. @param {string} [name] */
  choose(name) {
    if (name !== undefined) this.#select.value = name;
  }

  /** @param {string} text */
  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#text.hidden = true;
      say(this.#note, "Copied.");
    } catch {
      // Only secure contexts have a clipboard.
      this.#text.value = text;
      this.#text.hidden = false;
      this.#text.select();
      say(this.#note, "Copy the text below.");
    }
  }
}
