import { whenLate } from "./client/situation.js";
import { element, say } from "./element.js";

/** Shows the progress of the requests of a control. It stays empty while they complete quickly. */
export class RequestNote {
  #pending = 0;
  #isLate = false;

  /**
   * @param {HTMLElement} control
   * @param {string} [name] the name of the control, if the note is not next to it
   */
  constructor(control, name = "") {
    this.control = control;
    this.prefix = name && `${name}: `;
    /** The element to place next to the control. */
    this.node = element("p", "note");
    this.node.setAttribute("role", "status");
  }

  /**
   * @param {Promise<unknown>} request
   * @returns {Promise<boolean>} whether it succeeded
   */
  async follow(request) {
    const started = performance.now();
    this.#pending += 1;
    let failure = "";
    try {
      await whenLate(request, { begin: () => this.#wait() });
    } catch (error) {
      failure = error.message;
    }
    this.#pending -= 1;
    const seconds = (performance.now() - started) / 1000;
    if (failure) this.#say(failure, true);
    else if (this.#pending === 0) this.#say(this.#isLate ? `completed after ${seconds.toFixed(1)} s.` : "");
    if (this.#pending === 0) this.#isLate = false;
    this.#mark();
    return failure === "";
  }

  /** Removes the result of previous requests. */
  clear() {
    this.show("");
  }

  /**
   * Shows a text, unless a request is pending.
   * @param {string} text
   */
  show(text) {
    if (this.#pending === 0) this.#say(text);
  }

  #wait() {
    this.#isLate = true;
    this.#say("waiting for the server…");
    this.#mark();
  }

  #mark() {
    this.control.toggleAttribute("data-waiting", this.#isLate);
    if (this.#isLate) this.control.setAttribute("aria-busy", "true");
    else this.control.removeAttribute("aria-busy");
  }

  /**
   * @param {string} text
   * @param {boolean} [isError]
   */
  #say(text, isError = false) {
    say(this.node, text && this.prefix + text);
    this.node.classList.toggle("is-error", isError);
  }
}
