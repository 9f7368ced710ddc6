import { call, session } from "/inspector/client.js";
import { h, fill } from "/inspector/dom.js";
import { differences } from "/inspector/diff.js";
import { inline, timeOfDay } from "/inspector/text.js";
import { VirtualList } from "/inspector/virtual.js";

/** The most turns in one response. */
const pageSize = 2000;

/**
 * @typedef {{name: string, bytes?: number, value?: unknown, former?: unknown, concealed?: boolean}} Value
 * @typedef {{number: number, time: string | null, version: number, bytes: number, changes: Value[], states: string[],
 *   emitted?: Value[], effects: {event: string, id: number, name: string | null, question?: unknown, answer?: unknown, failure?: unknown}[],
 *   trigger: ({kind: string, inputs?: Value[]} & Partial<Value>) | null, traceparent?: string}} Turn
 */

/** The recorded turns of a session. */
export class Timeline {
  /** @type {Turn[]} */
  turns = [];
  beginsAt = 0;
  total = 0;
  isStored = true;
  /** Whether the newest turn is selected, and each new one will be. */
  isFollowing = true;
  #selected = -1;
  #loads = 0;
  /** The end of the newest load or update. Each waits for the one before, because both append to the turns. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @param {string} id
   * @param {{selected: (turn: Turn | null) => void, loaded: () => void, progress: (share: number) => void}} events
   */
  constructor(id, events) {
    this.id = id;
    this.events = events;
    this.list = new VirtualList({
      label: "Turns, oldest first", height: 58, render: drawTurn,
      select: (index) => this.select(index),
    });
    this.node = this.list.node;
  }

  get selected() {
    return this.turns[this.#selected] ?? null;
  }

  get index() {
    return this.#selected;
  }

  /** Loads all turns, in parts, and selects a version; the newest if it is not there. @param {number} [version] */
  async load(version) {
    // What is in progress or waits is out of date, and stops.
    this.#loads += 1;
    await this.#afterLast(async () => {
      this.turns = [];
      this.list.items = [];
      if (!await this.#loadAfter(undefined)) return;
      const place = version === undefined ? -1 : this.turns.findLastIndex((turn) => turn.version <= version);
      this.select(version === undefined ? this.turns.length - 1 : place);
    });
  }

  /** Loads what was recorded since. */
  async update() {
    await this.#afterLast(async () => {
      const isFollowing = this.isFollowing;
      const before = this.turns.length;
      if (!await this.#loadAfter(this.turns.at(-1)?.number)) return;
      if (isFollowing && this.turns.length > before) this.select(this.turns.length - 1);
    });
  }

  /** Runs an action after the ones before, unless a new load begins meanwhile. @param {() => Promise<void>} action */
  #afterLast(action) {
    const load = this.#loads;
    const result = this.#last.then(() => (load === this.#loads ? action() : undefined));
    this.#last = result.catch(() => {});
    return result;
  }

  /** Returns whether all turns after a number were loaded, and no new load has begun. @param {number | undefined} number */
  async #loadAfter(number) {
    const load = this.#loads;
    let after = number;
    while (true) {
      const page = await call(`/sessions/${this.id}/turns`, { query: { after, limit: pageSize }, values: true });
      if (load !== this.#loads) return false;
      this.beginsAt = page.beginsAt;
      this.total = page.total;
      this.isStored = page.isStored;
      // A session that is not stored has no turns with numbers after which to continue, but its recent changes.
      this.turns = page.isStored ? this.turns.concat(page.turns) : page.turns;
      this.list.items = this.turns;
      this.events.progress(page.next === null ? 1 : this.turns.length / page.total);
      if (page.next === null) break;
      after = page.next;
    }
    this.events.loaded();
    return true;
  }

  /** Selects a turn; none for -1, which is the session before the first turn. @param {number} index */
  select(index) {
    this.#selected = Math.max(-1, Math.min(this.turns.length - 1, index));
    this.isFollowing = this.#selected === this.turns.length - 1;
    this.list.mark(this.#selected);
    this.events.selected(this.selected);
  }

  /** Selects the turn before or after. @param {number} distance */
  step(distance) {
    this.select(this.#selected + distance);
  }
}

/** @param {Turn} turn */
export function cause(turn) {
  const trigger = turn.trigger;
  if (!trigger) return { kind: "change", title: "Change", detail: "" };
  switch (trigger.kind) {
    case "input": return { kind: "input", title: trigger.name ?? "", detail: value(trigger) };
    case "batch": return { kind: "input", title: "Batch", detail: (trigger.inputs ?? []).map(({ name }) => name).join(", ") };
    case "timer": return { kind: "timer", title: trigger.name ?? "Timer", detail: "timer" };
    case "answer": return { kind: "effect", title: trigger.name ?? "Effect", detail: "answered" };
    case "failure": return { kind: "trap", title: trigger.name ?? "Effect", detail: "failed" };
    case "restored": return { kind: "restored", title: "Restored", detail: "the machine was created again" };
    case "trap": return { kind: "trap", title: "Trapped", detail: "the process ended, and the turn was undone" };
    default: return { kind: "timer", title: "Scheduled", detail: "work of the machine" };
  }
}

/** @param {Partial<Value>} port */
function value(port) {
  if (port.concealed) return "concealed";
  if (port.value === undefined) return session.isRevealed || port.bytes === 4 ? "" : `${port.bytes} bytes`;
  return port.value === null ? "" : inline(port.value, 40);
}

/** The letters that stand for kinds in the timeline. @type {Record<string, string>} */
const marks = { input: "In", timer: "At", effect: "Ef", restored: "Re", trap: "!", change: "Δ" };

/** @param {HTMLElement} row @param {Turn} turn */
function drawTurn(row, turn) {
  const { kind, title, detail } = cause(turn);
  row.dataset.kind = kind;
  fill(row,
    h("span.mark", { "aria-hidden": "true" }, marks[kind]),
    h("span.turn-cause", h("b", title), detail && h("span.quiet", ` ${detail}`)),
    h("span.turn-version", { title: `Version ${turn.version}` }, `v${turn.version}`),
    h("span.turn-changes", summary(turn)),
    h("time.turn-time", timeOfDay(turn.time)));
}

/** What a turn has changed, on one line. @param {Turn} turn */
function summary(turn) {
  const parts = turn.changes.slice(0, 3).map((change) => h("span.change", change.name, revealed(change)));
  if (turn.changes.length > 3) parts.push(h("span.quiet", `+${turn.changes.length - 3}`));
  for (const { name } of turn.emitted ?? []) parts.push(h("span.change.event", `${name} sent`));
  if (parts.length) return parts;
  return [h("span.quiet", turn.states.length ? "only the state changed" : "nothing changed")];
}

/** What changes consist of, because each row is drawn again and again. @type {WeakMap<Value, import("/inspector/diff.js").Difference[]>} */
const known = new WeakMap();

/** @param {Value} change */
function revealed(change) {
  if (!("value" in change)) return null;
  const found = known.get(change) ?? differences(change.former, change.value);
  known.set(change, found);
  const [first, ...others] = found;
  if (!first) return null;
  const path = first.path ? `.${first.path}`.replace(".[", "[") : "";
  return [path, " ", first.before !== undefined && h("del", inline(first.before, 24)),
    first.before !== undefined && first.after !== undefined && " → ",
    first.after !== undefined && h("ins", inline(first.after, 24)), others.length > 0 && ` +${others.length}`];
}
