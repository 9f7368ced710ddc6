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
  #epoch = "";

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
    return this.#epoch && `${this.#epoch}.${this.version}`;
  }

  /**
   * Begins with a session that was read.
   * @param {Record<string, unknown>} outputs
   * @param {number} version
   */
  begin(outputs, version) {
    this.#epoch = "";
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
   * Takes an event of the stream, unless it repeats something.
   * @param {string} name
   * @param {string} id
   * @param {Record<string, any>} data
   */
  receive(name, id, data) {
    const [epoch, version] = split(id);
    const isOld = epoch === this.#epoch && (name === "snapshot" ? version < this.version : version <= this.version);
    if (name === "resume" || isOld) return;
    this.#epoch = epoch;
    this.#take(version, data, name === "snapshot");
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
   * version, the input had no effect.
   * @param {Overlay | undefined} overlay what was predicted
   * @param {number} [version]
   * @param {Record<string, any> | null} [changes]
   */
  settle(overlay, version = -1, changes = null) {
    if (overlay) overlay.version = version;
    if (this.#epoch && changes && version === this.version + 1) return this.#take(version, changes, false);
    const emitted = changes?.$emitted;
    if (emitted && version > this.version) this.#missing.push({ version, emitted });
    else if (this.#skipped.some(([from, to]) => version > from && version <= to)) emitted?.forEach(this.emitted);
    if (overlay && version < 0) this.#predictAgain();
    this.#become(this.#confirmed);
  }

  /** Evaluates what is predicted without a prediction that was wrong. */
  #predictAgain() {
    let outputs = this.#confirmed;
    for (const overlay of this.#overlays) {
      if (overlay.version < 0) continue;
      overlay.values = evaluate(overlay.optimistic, outputs);
      outputs = { ...outputs, ...overlay.values };
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
    /** @type {Record<string, unknown>} */
    const changes = {};
    for (const name of Object.keys({ ...before, ...outputs })) {
      const [old, value] = [before[name], outputs[name]];
      if (old !== value && JSON.stringify(old) !== JSON.stringify(value)) changes[name] = value;
    }
    if (Object.keys(changes).length > 0) this.changed(changes, outputs);
  }
}

/**
 * @param {Record<string, unknown>} optimistic
 * @param {Record<string, unknown>} outputs
 */
function evaluate(optimistic, outputs) {
  return Object.fromEntries(Object.entries(optimistic).map(([name, value]) =>
    [name, typeof value === "function" ? value(outputs[name]) : value]));
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
