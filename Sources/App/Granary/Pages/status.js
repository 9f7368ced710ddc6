import { element, say } from "./element.js";

const names = { connecting: "connecting", live: "live", waiting: "reconnecting", failed: "stopped" };

/** Shows the state of a session in words that screen readers announce. */
export class SessionStatus {
  #word = element("span");
  #countdown = element("span");
  #news = element("p", "news");
  #detail = element("p", "detail");
  #action = element("button", "wide", "Start a new session");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #isStopped = false;

  /**
   * @param {HTMLElement} section is marked as stale while its outputs may be out of date
   * @param {HTMLElement} badge shows the state in one or two words
   * @param {() => void} restart called when the user wants a new session
   */
  constructor(section, badge, restart) {
    this.section = section;
    this.badge = badge;
    for (const node of [badge, this.#news, this.#detail]) node.setAttribute("role", "status");
    badge.tabIndex = -1;
    const words = element("span");
    words.append(this.#word, this.#countdown);
    badge.replaceChildren(words);
    // Otherwise screen readers would announce every second of the countdown.
    this.#countdown.setAttribute("aria-hidden", "true");
    this.#action.type = "button";
    this.#action.addEventListener("click", restart);
    /** The elements to place below the outputs. */
    this.nodes = [this.#news, this.#detail];
    this.show({ name: "connecting" });
  }

  /** @param {import("./situation.js").Situation} situation */
  show({ name, detail = "", until, isLate = false }) {
    // A stream can stay open although the server does not respond. The page must not show such a session as live.
    const isOverdue = isLate && (name === "live" || name === "connecting");
    this.badge.dataset.situation = isOverdue ? "waiting" : name;
    this.section.classList.toggle("is-stale", name === "waiting" || name === "failed");
    say(this.#word, isOverdue ? "waiting for the server" : names[name]);
    this.#countDown(until);
    say(this.#detail, detail);
    this.#detail.classList.toggle("is-error", name === "failed");
    this.#offer(name === "failed");
  }

  /**
   * Announces an event that explains a sudden change of the outputs.
   * @param {string} news
   */
  announce(news) {
    say(this.#news, news);
  }

  /** Removes the announcement, because the user has continued. */
  acknowledge() {
    say(this.#news, "");
  }

  /** Ends the countdown, permanently. Call when the elements are removed. */
  stop() {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** @param {number | undefined} until */
  #countDown(until) {
    clearInterval(this.#timer);
    const show = () => {
      const seconds = until === undefined ? 0 : Math.ceil((until - Date.now()) / 1000);
      this.#countdown.textContent = seconds > 0 ? `\u00a0in ${seconds} s` : "";
    };
    show();
    // A request that ends after the session was closed still reports its situation.
    if (until !== undefined && !this.#isStopped) this.#timer = setInterval(show, 250);
  }

  /** @param {boolean} isOffered whether the user can begin a new session */
  #offer(isOffered) {
    if (isOffered) {
      if (!this.#action.isConnected) this.#detail.after(this.#action);
    } else if (this.#action.isConnected) {
      const hadFocus = document.activeElement === this.#action;
      this.#action.remove();
      if (hadFocus) this.badge.focus();
    }
  }
}
