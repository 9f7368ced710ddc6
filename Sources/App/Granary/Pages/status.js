import { element, say } from "./element.js";

/** The name of each status in the style sheet, and its words. */
const situations = {
  connecting: ["connecting", "connecting"], live: ["live", "live"], offline: ["waiting", "reconnecting"],
  ended: ["failed", "stopped"],
};

/** The reasons for the end of a session. */
const ends = {
  deleted: "The session was deleted", expired: "The session had expired", failed: "The session has failed",
  unknown: "The server no longer has the session",
};

/** The reasons for which a session that has not ended is replaced. `other` is a session of another program at this address. */
const replacements = { requested: "This is a new session.", other: "" };

/** Shows the state of a session in words that screen readers announce. */
export class SessionStatus {
  #word = element("span");
  #countdown = element("span");
  #news = element("p", "news");
  #detail = element("p", "detail");
  #action = element("button", "wide", "Start a new session");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} section is marked as stale while its outputs may be out of date
   * @param {HTMLElement} badge shows the state in one or two words
   * @param {import("./client/machine.js").Machine} session
   */
  constructor(section, badge, session) {
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
    this.#action.addEventListener("click", () => session.restart());
    /** The elements to place below the outputs. */
    this.nodes = [this.#news, this.#detail];
    session.on("status", (status) => this.#show(status));
    session.on("new-session", ({ reason }) => this.#announce(reason));
    this.#show(session.status);
  }

  /** Removes the announcement, because the user has continued. */
  acknowledge() {
    say(this.#news, "");
  }

  /** @param {{status: string, reason?: string, message?: string, until?: number, isLate: boolean}} status */
  #show({ status, reason = "", message = "", until, isLate }) {
    const [situation, words] = situations[status];
    const hasEnded = status === "ended";
    // A stream can stay open although the server does not respond. The page must not show such a session as live.
    const isOverdue = isLate && (status === "live" || status === "connecting");
    this.badge.dataset.situation = isOverdue ? "waiting" : situation;
    this.section.classList.toggle("is-stale", hasEnded || status === "offline");
    say(this.#word, isOverdue ? "waiting for the server" : words);
    this.#countDown(until);
    say(this.#detail, hasEnded && reason in ends ? `${ends[reason]}.` : message);
    this.#detail.classList.toggle("is-error", hasEnded);
    this.#offer(hasEnded);
  }

  /**
   * Announces a new session, which explains a sudden change of the outputs.
   * @param {string} reason
   */
  #announce(reason) {
    const end = ends[reason] ?? "The session had ended";
    say(this.#news, replacements[reason] ?? `${end}; this is a new session.`);
  }

  /** @param {number | undefined} until */
  #countDown(until) {
    clearInterval(this.#timer);
    const show = () => {
      const seconds = until === undefined ? 0 : Math.ceil((until - Date.now()) / 1000);
      this.#countdown.textContent = seconds > 0 ? `\u00a0in ${seconds} s` : "";
    };
    show();
    if (until !== undefined) this.#timer = setInterval(show, 250);
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
