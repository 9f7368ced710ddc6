import { call, session } from "/inspector/client.js";
import { h, fill } from "/inspector/dom.js";
import { differences } from "/inspector/diff.js";
import { duration, inline, plural, timeOfDay } from "/inspector/text.js";
import { VirtualList } from "/inspector/virtual.js";

/** The most turns in one response. */
const pageSize = 2000;

/** The duration from which a turn is marked, in nanoseconds: that from which the log has it. */
const slow = 100e6;

/**
 * @typedef {{name: string, bytes?: number, value?: unknown, former?: unknown, concealed?: boolean}} Value
 * @typedef {{number: number | null, time: string | null, version: number, bytes?: number, changes: Value[], states: string[],
 *   emitted?: Value[], effects: {event: string, id: number, name: string | null, question?: unknown, answer?: unknown, failure?: unknown}[],
 *   trigger: ({kind: string, inputs?: Value[]} & Partial<Value>) | null, traceparent?: string, nanoseconds?: number, streams?: number}} Turn
 */

/** The recorded turns of a session. */
export class Timeline {
  /** All of them, oldest first. @type {Turn[]} */
  turns = [];
  /** Those that are stored with their causes and states. @type {Turn[]} */
  #recorded = [];
  /** Those before the session was stored as a whole, of which the changes are known. @type {Turn[]} */
  earlier = [];
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

  /** The number of the newest turn, after which updates continue. */
  get lastNumber() {
    return this.#recorded.at(-1)?.number ?? undefined;
  }

  /** The first moment to select: before the first turn, unless its values are not stored any more. */
  get firstIndex() {
    return this.earlier.length ? 0 : -1;
  }

  /** Whether the values of the selected moment are stored. */
  get isKept() {
    return !this.isStored || (this.selected?.version ?? this.beginsAt) >= this.beginsAt;
  }

  /** Loads all turns, in parts, and selects a version; the newest if it is not there. @param {number} [version] */
  async load(version) {
    // What is in progress or waits is out of date, and stops.
    this.#loads += 1;
    await this.#afterLast(async () => {
      this.turns = this.#recorded = this.earlier = [];
      this.list.items = [];
      if (await this.#loadAfter(undefined)) this.#selectVersion(version);
    });
  }

  /** @param {number} [version] the newest if it is not there */
  #selectVersion(version) {
    this.select(version === undefined ? this.turns.length - 1 : this.turns.findLastIndex((turn) => turn.version <= version));
  }

  /** Loads what was recorded since. */
  async update() {
    await this.#afterLast(async () => {
      const { isFollowing, beginsAt } = this;
      const [before, version] = [this.turns.length, this.selected?.version ?? beginsAt];
      if (!await this.#loadAfter(this.lastNumber)) return;
      if (this.beginsAt !== beginsAt) this.#selectVersion(isFollowing ? undefined : version);
      else if (isFollowing && this.turns.length > before) this.select(this.turns.length - 1);
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
      // The session was stored as a whole meanwhile, so that the turns before have become earlier ones.
      if (number !== undefined && page.beginsAt !== this.beginsAt) return await this.#loadAfter(undefined);
      this.beginsAt = page.beginsAt;
      this.total = page.total;
      this.isStored = page.isStored;
      // A session that is not stored has no turns with numbers after which to continue, but its recent changes.
      // Without a turn after which to continue, the first page comes again.
      this.#recorded = page.isStored && after !== undefined ? this.#recorded.concat(page.turns) : page.turns;
      this.earlier = page.earlier ?? this.earlier;
      this.turns = this.earlier.concat(this.#recorded);
      this.list.items = this.turns;
      this.events.progress(page.next === null ? 1 : this.#recorded.length / page.total);
      if (page.next === null) break;
      after = page.next;
    }
    this.events.loaded();
    return true;
  }

  /** Selects a turn; none for -1, which is the session before the first turn. @param {number} index */
  select(index) {
    this.#selected = Math.max(this.firstIndex, Math.min(this.turns.length - 1, index));
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
    case "received": return { kind: "topic", title: trigger.name ?? "Topic", detail: value(trigger) };
    case "restored": return { kind: "restored", title: "Restored", detail: "the machine was created again" };
    case "trap": return { kind: "trap", title: "Trapped", detail: "the process ended, and the turn was undone" };
    default: return { kind: "timer", title: "Scheduled", detail: "work of the machine" };
  }
}

/** @param {Partial<Value>} port */
function value(port) {
  if (port.concealed) return "concealed";
  if (port.value === undefined) return session.isRevealed || port.bytes === undefined || port.bytes === 4 ? "" : `${port.bytes} bytes`;
  return port.value === null ? "" : inline(port.value, 40);
}

/** The letters that stand for kinds in the timeline. @type {Record<string, string>} */
const marks = { input: "In", timer: "At", effect: "Ef", topic: "To", restored: "Re", trap: "!", change: "Δ" };

/** @param {HTMLElement} row @param {Turn} turn */
function drawTurn(row, turn) {
  const { kind, title, detail } = cause(turn);
  row.dataset.kind = kind;
  fill(row,
    h("span.mark", { "aria-hidden": "true" }, marks[kind]),
    h("span.turn-cause", h("b", title), detail && h("span.quiet", ` ${detail}`)),
    // Few elements, because all rows that become visible in a frame are drawn in it.
    h((turn.nanoseconds ?? 0) < slow ? "span.turn-version" : "span.turn-version.is-slow", { title: `Version ${turn.version}` },
      turn.nanoseconds === undefined ? `v${turn.version}` : `${duration(turn.nanoseconds)} · v${turn.version}`),
    h("span.turn-changes", summary(turn)),
    h("span.turn-time", turn.streams ? h("span.turn-streams", plural(turn.streams, "stream")) : null, timeOfDay(turn.time)));
}

/** How long a turn took, and how many streams got its change, in words. @param {Turn} turn */
export function measures(turn) {
  if (turn.nanoseconds === undefined) return "Its duration and streams are not known: a former process ran it, many turns have followed, or turns are not measured (http.metrics).";
  const streams = turn.streams === undefined ? "" : `, sent to ${plural(turn.streams, "stream")}`;
  return `took ${duration(turn.nanoseconds)}${streams}`;
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
