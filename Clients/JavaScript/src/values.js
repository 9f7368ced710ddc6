/**
 * A change that was predicted; `version` is that from which on the server's outputs include it.
 * @typedef {{optimistic: Record<string, unknown>, values: Record<string, unknown>, version: number}} Overlay
 */

/** The number of snapshots that are remembered. */
const mostSkipped = 15;

/** The outputs of a session at a version, and the optimistic changes that are not confirmed yet. */
export class Values {
  /** What the server has sent. @type {Record<string, unknown>} */
  #confirmed = {};
  /** @type {Overlay[]} */
  #overlays = [];
  /** The events of responses that the stream has to bring, unless it continues with a snapshot. @type {{version: number, emitted: any[]}[]} */
  #missing = [];
  /** The latest versions that snapshots have passed over: their events were not reported. @type {[number, number][]} */
  #skipped = [];
  /** The epoch of what is shown; empty if it is unknown. */
  #epoch = "";
  /** The version that the stream has reached; -1 if it has not begun. A response may be ahead of it. */
  #streamed = -1;
  /** The epochs before this one, and whether the session was restored to an older state since then. @type {Map<string, boolean>} */
  #left = new Map();
  /** The snapshot of another epoch that the worker had kept. @type {{id: string, data: Record<string, any>} | null} */
  #kept = null;

  /**
   * @param {(changes: Record<string, unknown>, outputs: Record<string, unknown>) => void} changed
   * @param {(emitted: {output: string, value: unknown}) => void} emitted
   */
  constructor(changed, emitted) {
    this.changed = changed;
    this.emitted = emitted;
    /** What is shown. @type {Record<string, unknown>} */
    this.outputs = {};
    this.version = -1;
  }

  /** The position in the stream; empty if it is unknown. */
  get position() {
    return this.#streamed < 0 ? "" : `${this.#epoch}.${this.version}`;
  }

  /**
   * Begins with a session that was read.
   * @param {Record<string, unknown>} outputs
   * @param {number} version
   * @param {string} [epoch] that of the version; empty if it is unknown
   */
  begin(outputs, version, epoch = "") {
    this.#epoch = epoch;
    this.#streamed = -1;
    this.#left.clear();
    this.#kept = null;
    this.version = version;
    this.#overlays = [];
    this.#missing = [];
    this.#skipped = [];
    // All outputs of another session are new, also those with the same value.
    const gone = Object.keys(this.outputs).filter((name) => !(name in outputs)).map((name) => [name, undefined]);
    this.outputs = this.#confirmed = outputs;
    this.changed({ ...Object.fromEntries(gone), ...outputs }, outputs);
  }

  /**
   * Takes an event of the stream, unless it repeats something or is older than what is shown.
   * @param {string} name
   * @param {string} id
   * @param {Record<string, any>} data
   * @param {boolean} [isStale] whether it was kept, and the stream has not continued yet
   */
  receive(name, id, data, isStale = false) {
    const [epoch, version] = split(id);
    const isSnapshot = name === "snapshot";
    if (name === "resume") {
      const kept = this.#kept;
      this.#kept = null;
      // The server continues with the epoch that was kept.
      if (kept?.id === id) this.receive("snapshot", id, kept.data);
    } else if (epoch === this.#epoch || this.#epoch === "") {
      this.#epoch = epoch;
      this.#streamed = version;
      if (isSnapshot ? version >= this.version : version > this.version) this.#take(version, data, isSnapshot);
    } else if (isStale) {
      this.#kept = { id, data };
    } else if (isSnapshot && !this.#isPast(epoch, version)) {
      this.#leave(version);
      this.#epoch = epoch;
      this.#streamed = version;
      this.#take(version, data, true);
    }
  }

  /** Whether the client has left an epoch, and a version in it is not later. */
  #isPast(epoch, version) {
    const isOver = this.#left.get(epoch);
    return isOver || isOver === false && version < this.#streamed;
  }

  /**
   * Leaves the epoch. Another one begins when an older state of the session was restored, and when the client may see other
   * outputs. In that case, versions continue, and the client may return.
   */
  #leave(version) {
    this.#left.set(this.#epoch, false);
    if (version >= this.#streamed) return;
    for (const epoch of this.#left.keys()) this.#left.set(epoch, true);
    // The turns that these wait for no longer exist.
    this.#missing = [];
    this.#overlays = this.#overlays.filter(({ version }) => version === Infinity);
  }

  /**
   * Shows a change before the server has confirmed it.
   * @param {Record<string, unknown>} optimistic new values, or functions of the current ones
   * @returns {Overlay}
   */
  predict(optimistic) {
    const overlay = { optimistic, values: evaluate(optimistic, this.outputs), version: Infinity };
    this.#overlays.push(overlay);
    this.#become(this.#confirmed);
    return overlay;
  }

  /**
   * Takes the response to an input: its changes if nothing is missing before them, otherwise the stream brings them. Without a
   * version, the input had no effect, and without changes, none that this client sees.
   * @param {Overlay | undefined} overlay what was predicted
   * @param {number} [version]
   * @param {Record<string, any> | null} [changes]
   */
  settle(overlay, version = -1, changes = null) {
    if (overlay) overlay.version = isEmpty(changes) ? -1 : version;
    if (overlay && overlay.version < 0) this.#predictAgain();
    if (this.#streamed >= 0 && changes && version === this.version + 1) return this.#take(version, changes, false);
    const emitted = changes?.$emitted;
    if (emitted && version > this.version) this.#missing.push({ version, emitted });
    else if (this.#skipped.some(([from, to]) => version > from && version <= to)) emitted?.forEach(this.emitted);
    this.#become(this.#confirmed);
  }

  /** Evaluates what is predicted without a prediction that was wrong. One that fails now is no longer shown. */
  #predictAgain() {
    let outputs = this.#confirmed;
    for (const overlay of this.#overlays) {
      if (overlay.version < 0) continue;
      try {
        overlay.values = evaluate(overlay.optimistic, outputs);
        outputs = { ...outputs, ...overlay.values };
      } catch (error) {
        overlay.version = -1;
        console.error(error);
      }
    }
  }

  #take(version, { $emitted: emitted = [], ...changes }, isSnapshot) {
    if (isSnapshot) this.#skipped = [...this.#skipped.slice(-mostSkipped), [this.version, version]];
    this.version = version;
    const passed = this.#missing.filter((response) => response.version <= version);
    this.#missing = this.#missing.filter((response) => response.version > version);
    this.#become(isSnapshot ? changes : { ...this.#confirmed, ...changes });
    for (const event of isSnapshot ? passed.flatMap(({ emitted }) => emitted) : emitted) this.emitted(event);
  }

  #become(confirmed) {
    this.#confirmed = confirmed;
    this.#overlays = this.#overlays.filter(({ version }) => version > this.version);
    const before = this.outputs;
    const outputs = Object.assign({}, confirmed, ...this.#overlays.map(({ values }) => values));
    this.outputs = outputs;
    const changes = difference(before, outputs);
    if (!isEmpty(changes)) this.changed(changes, outputs);
  }

  /**
   * Whether these are the outputs that the server has sent.
   * @param {Record<string, unknown>} outputs
   */
  has(outputs) {
    return isEmpty(difference(this.#confirmed, outputs));
  }
}

/**
 * Returns the outputs that differ, with their later values.
 * @param {Record<string, unknown>} before
 * @param {Record<string, unknown>} after
 */
function difference(before, after) {
  /** @type {Record<string, unknown>} */
  const changes = {};
  for (const name of Object.keys({ ...before, ...after })) {
    const [old, value] = [before[name], after[name]];
    if (old !== value && JSON.stringify(old) !== JSON.stringify(value)) changes[name] = value;
  }
  return changes;
}

/**
 * @param {Record<string, unknown>} optimistic
 * @param {Record<string, unknown>} outputs
 */
function evaluate(optimistic, outputs) {
  const values = Object.fromEntries(Object.entries(optimistic).map(([name, value]) =>
    [name, typeof value === "function" ? value(outputs[name]) : value]));
  // What cannot be compared, such as a bigint, fails here and not whenever outputs change.
  JSON.stringify(values);
  return values;
}

/**
 * Whether a turn has changed nothing that this client sees, so that the stream does not report it.
 * @param {Record<string, unknown> | null} changes null if they are unknown
 */
export function isEmpty(changes) {
  return changes !== null && Object.keys(changes).length === 0;
}

/**
 * Returns the epoch and the version of a position.
 * @param {string} id
 * @returns {[string, number]}
 */
export function split(id) {
  const dot = id.lastIndexOf(".");
  return [id.slice(0, dot), Number(id.slice(dot + 1))];
}

/**
 * Returns the earlier of two positions in a session, or an empty text if they cannot be compared.
 * @param {string} a
 * @param {string} b
 */
export function earlier(a, b) {
  const [[epoch, version], [other, another]] = [split(a), split(b)];
  return epoch !== other ? "" : version < another ? a : b;
}
