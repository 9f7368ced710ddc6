import { fill, h } from "./element.js";

/** The most entries that are kept, and the most versions whose arrival is remembered. */
const most = 200;

/** The length of the longest value that is shown. */
const longest = 160;

/**
 * An input, a change without an input of this page, or something about the session. The times are in milliseconds since it `began`.
 * `isAwaited` says that the stream has not reported it yet.
 * @typedef {{row: HTMLElement, began: number, title: string, detail: string, version?: number, response?: number, arrival?: number,
 *   values: Record<string, unknown>, failure: string, isChange: boolean, isPending: boolean, isAwaited: boolean}} Entry
 */

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" });

/**
 * What happened in a session: each input with its version, the time to its response and to its event in the stream, and each change with
 * what has caused it. The newest entry comes first.
 */
export class EventLog {
  /** The newest first. @type {Entry[]} */
  #entries = [];
  /** When the stream has reached a version, the lowest first. @type {Map<number, number>} */
  #arrivals = new Map();
  #body = h("tbody");
  #count = h("span.type");

  constructor() {
    const names = ["Time", "Event", "Version", "Response", "Stream", "Values"];
    this.node = h("section.log", { "aria-label": "Event log" },
      h("div.log-head", h("h4", "Events ", this.#count), h("button.quiet-button", { type: "button", onclick: () => this.clear() }, "Clear")),
      // What scrolls has to be within reach of the keyboard.
      h("div.log-rows", { tabindex: 0, role: "region", "aria-label": "Events, newest first" },
        h("table", h("thead", h("tr", names.map((name) => h("th", { scope: "col" }, name)))), this.#body)));
    this.clear();
  }

  clear() {
    this.#entries = [];
    fill(this.#body, h("tr", h("td.type", { colspan: 6 }, "Each input and each change appears here.")));
    this.#number();
  }

  /** Begins with another session, whose versions are others. */
  begin() {
    this.#arrivals.clear();
    for (const entry of this.#entries) Object.assign(entry, { version: undefined, isAwaited: false });
    this.note("New session");
  }

  /** Something about the session. @param {string} title @param {string} [detail] */
  note(title, detail = "") {
    this.#add({ title, detail });
  }

  /**
   * An input that is being sent.
   * @param {string} name
   * @param {unknown} value undefined for none
   * @returns {{answered: (response: {version: number, changes: Record<string, any> | null}) => void, failed: (reason: string) => void}}
   */
  sent(name, value) {
    const entry = this.#add({ title: name, detail: value === undefined ? "" : JSON.stringify(value), isPending: true });
    const settle = (/** @type {Partial<Entry>} */ result) => {
      Object.assign(entry, result, { isPending: false });
      this.#draw(entry);
      this.#attribute();
    };
    return {
      answered: ({ version, changes }) => {
        const { $emitted, ...values } = changes ?? {};
        // The change may be here already: it is what this input has caused.
        const change = this.#entries.find((other) => other.isChange && other.version === version);
        if (change) this.#remove(change);
        settle({
          version, response: performance.now() - entry.began, values: { ...values, ...change?.values },
          // The stream does not report a turn that has changed nothing.
          isAwaited: changes === null || Object.keys(changes).length > 0,
        });
        for (const [reached, time] of this.#arrivals) this.#arrive(entry, reached, time);
      },
      failed: (failure) => settle({ failure }),
    };
  }

  /** @param {number} version @param {Record<string, unknown>} values those that have changed, or the events that were sent */
  changed(version, values) {
    const known = this.#entries.find((entry) => entry.version === version);
    if (known) {
      Object.assign(known.values, values);
      this.#draw(known);
    } else if (this.#arrivals.size === 0) {
      this.#add({ title: "Outputs", version, values });
    } else {
      this.#add({ title: "Change", version, values, isChange: true });
      this.#attribute();
    }
  }

  /** The stream has reached a version. @param {number} version */
  arrived(version) {
    const now = performance.now();
    for (const passed of [...this.#arrivals.keys()].slice(0, -most)) this.#arrivals.delete(passed);
    if (!this.#arrivals.has(version)) this.#arrivals.set(version, now);
    for (const entry of this.#entries) this.#arrive(entry, version, now);
  }

  /** @param {Entry} entry @param {number} version @param {number} time */
  #arrive(entry, version, time) {
    if (!entry.isAwaited || version < Number(entry.version)) return;
    entry.isAwaited = false;
    entry.arrival = Math.max(0, time - entry.began);
    this.#draw(entry);
  }

  /** Says what has caused changes, as soon as no input is pending that may be it. */
  #attribute() {
    if (this.#entries.some(({ isPending }) => isPending)) return;
    for (const entry of this.#entries.filter(({ isChange, detail }) => isChange && !detail)) {
      entry.detail = "by another client, a timer or an effect";
      this.#draw(entry);
    }
  }

  /** @param {Partial<Entry>} content */
  #add(content) {
    /** @type {Entry} */
    const entry = {
      row: h("tr", h("td", h("time", clock.format(new Date()))), Array.from({ length: 5 }, () => h("td"))), began: performance.now(),
      title: "", detail: "", values: {}, failure: "", isChange: false, isPending: false, isAwaited: false, ...content,
    };
    if (this.#entries.length === 0) fill(this.#body);
    this.#entries.unshift(entry);
    this.#body.prepend(entry.row);
    this.#draw(entry);
    for (const old of this.#entries.slice(most)) this.#remove(old);
    this.#number();
    return entry;
  }

  /** @param {Entry} entry */
  #remove(entry) {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    entry.row.remove();
    this.#number();
  }

  #number() {
    const count = this.#entries.length;
    fill(this.#count, count === most ? `the newest ${most}` : count || null);
  }

  /** @param {Entry} entry */
  #draw({ row, title, detail, version, response, arrival, values, failure, isPending, isAwaited }) {
    row.classList.toggle("is-error", failure !== "");
    const shown = Object.entries(values).map(([name, value]) => h("div", h("span.type", `${name} `), h("code", shortened(JSON.stringify(value) ?? "–"))));
    const contents = [
      [h("b", title), detail && h("span.type", ` ${shortened(detail)}`)],
      version !== undefined && `v${version}`,
      response === undefined ? isPending && "…" : h("span", { "data-label": "response " }, milliseconds(response)),
      arrival === undefined ? isAwaited && "…" : h("span", { "data-label": "stream " }, milliseconds(arrival)),
      failure || (shown.length > 0 ? shown : response !== undefined && h("span.type", "nothing changed")),
    ];
    contents.forEach((content, index) => fill(row.children[index + 1], content));
  }
}

/** @param {string} text */
const shortened = (text) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

/** @param {number} time */
const milliseconds = (time) => `${time < 10 ? time.toFixed(1) : Math.round(time).toLocaleString("en")} ms`;
