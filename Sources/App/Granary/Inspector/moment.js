import { call, session } from "/inspector/client.js";
import { cause, measures } from "/inspector/timeline.js";
import { h, fill, state, skeleton } from "/inspector/dom.js";
import { showDifference } from "/inspector/diff.js";
import { bytes, inline, plural, timeOfDay } from "/inspector/text.js";

/** The time after the last step before the values are requested, in milliseconds. */
const rest = 90;

/** The length of the longest value that is shown whole. An exported session has all of each. */
const longest = 50_000;

/** @typedef {{principal: string | null, isOfTicket: boolean, version: number | null}} Receiver */

/** The values of a session at a moment, and what the turn that led to it has done. */
export class Moment {
  /** @type {AbortController | undefined} */
  #request;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.turn = h("section.panel.turn-panel", { "aria-label": "Turn" });
    this.streams = h("div");
    this.values = h("div.values-panel");
    this.node = h("div.moment", this.turn, this.streams, this.values);
    /** @type {Receiver[]} */
    this.receivers = [];
    this.version = 0;
  }

  /**
   * @param {import("/inspector/timeline.js").Turn | null} turn
   * @param {number} version
   * @param {boolean} isKept whether the values of the version are stored
   */
  show(turn, version, isKept) {
    this.version = version;
    this.#drawStreams();
    fill(this.turn, turn ? describe(turn) : [h("h3", "Before the first recorded turn"), h("p.quiet", `Version ${version}, as the session was stored as a whole.`)]);
    clearTimeout(this.#timer);
    this.#request?.abort();
    if (!isKept) {
      this.values.removeAttribute("aria-busy");
      return fill(this.values, state("Not stored any more", "The session was stored as a whole after this turn. Of the turns before, the changes are known, but neither the outputs nor the state."));
    }
    this.values.setAttribute("aria-busy", "true");
    if (!this.values.firstChild) fill(this.values, skeleton(5));
    this.#timer = setTimeout(() => this.#load(version), rest);
  }

  /** Shows which streams are open, and what was sent to them. @param {Receiver[]} receivers */
  update(receivers) {
    if (JSON.stringify(receivers) === JSON.stringify(this.receivers)) return;
    this.receivers = receivers;
    this.#drawStreams();
  }

  #drawStreams() {
    fill(this.streams, this.receivers.length > 0 && h("section.panel.streams-panel", h("h3", "Open streams", h("span.count", String(this.receivers.length))),
      h("ul.ports", this.receivers.map(({ principal, isOfTicket, version }) => h("li",
        principal ? h("code", principal) : isOfTicket ? "a ticket" : "without credentials",
        h("span.quiet", version === null ? " has got nothing yet" : ` is at version ${version}${version < this.version ? ", not at this one yet" : ""}`))))));
  }

  stop() {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  /** @param {number} version */
  async #load(version) {
    const request = new AbortController();
    this.#request = request;
    try {
      const moment = await call(`/sessions/${this.id}/versions/${version}`, { values: true, signal: request.signal });
      if (!request.signal.aborted) fill(this.values, content(moment));
    } catch (error) {
      if (request.signal.aborted) return;
      fill(this.values, state("Nothing to show", error.message));
    }
    this.values.removeAttribute("aria-busy");
  }
}

/** @param {import("/inspector/timeline.js").Turn} turn */
function describe(turn) {
  const { title, detail } = cause(turn);
  const trigger = turn.trigger ?? {};
  return [
    h("h3", title, detail && h("span.quiet", ` ${detail}`)),
    h("p.quiet", [turn.time && timeOfDay(turn.time), `version ${turn.version}`, turn.bytes !== undefined && `${bytes(turn.bytes)} stored`].filter(Boolean).join(" · ")),
    h("p.quiet.measures", measures(turn)),
    turn.traceparent && h("p.quiet", "trace ", h("code", turn.traceparent.split("-")[1])),
    trigger.kind === "input" && trigger.value !== undefined && trigger.value !== null && h("pre.json", JSON.stringify(trigger.value, null, 2)),
    trigger.kind === "batch" && h("ol.batch", (trigger.inputs ?? []).map((input) => h("li", h("b", input.name), " ", shown(input)))),
    turn.changes.map((change) => ("value" in change
      ? showDifference(change.name, change.former, change.value)
      : h("p.hidden-change", h("code.path", change.name), h("span.quiet", change.concealed ? " concealed" : " changed")))),
    (turn.emitted ?? []).map((event) => h("p", h("code.path", event.name), " sent ", shown(event))),
    turn.effects.map((effect) => h("p.effect", h("b", effect.name ?? `effect ${effect.id}`), ` ${effect.event}`,
      ["question", "answer", "failure"].map((part) => part in effect && h("code", ` ${inline(effect[part], 120)}`)))),
  ];
}

/** @param {import("/inspector/timeline.js").Value} port */
function shown(port) {
  if (port.concealed) return h("span.quiet", "concealed");
  return "value" in port ? h("code", inline(port.value, 240)) : h("span.quiet", bytes(port.bytes ?? 0));
}

/** @param {any} moment */
function content(moment) {
  return [
    section("Outputs", moment.outputs, "The session has no outputs with a value."),
    moment.effects.length > 0 && h("section.panel", h("h3", "In progress"), h("ul.ports", moment.effects.map((effect) => h("li",
      h("b", effect.name), h("span.quiet", effect.kind === "timer" ? ` timer, due ${timeOfDay(effect.due)}` : ` since ${timeOfDay(effect.since)}`))))),
    states(moment.states),
  ];
}

/** Captured states: the members of the machine, and what its operators hold, whose names contain a digest. @param {import("/inspector/timeline.js").Value[]} all */
function states(all) {
  const [operators, members] = [all.filter(({ name }) => name.includes("~")), all.filter(({ name }) => !name.includes("~"))];
  const panel = section("Captured state", members, "Nothing of the machine is captured.");
  if (operators.length) {
    panel.append(h("details", h("summary", `${plural(operators.length, "operator")} with a state`), list(operators)));
  }
  return panel;
}

/** @param {string} title @param {import("/inspector/timeline.js").Value[]} values @param {string} none */
function section(title, values, none) {
  return h("section.panel", h("h3", title, h("span.count", String(values.length))),
    values.length === 0 && h("p.quiet", none),
    list(values));
}

/** @param {import("/inspector/timeline.js").Value[]} values */
const list = (values) => h("dl.values", values.map((port) => h("div", h("dt", port.name), h("dd", valueOf(port)))));

/** @param {import("/inspector/timeline.js").Value} port */
function valueOf(port) {
  if (port.concealed) return h("span.concealed", { title: "The machine marks it as secret or sensitive" }, "never shown");
  if (!("value" in port)) return h("span.mask", { "aria-label": `hidden, ${plural(port.bytes ?? 0, "byte")}` }, "•".repeat(Math.min(12, Math.max(3, port.bytes ?? 0))));
  const whole = JSON.stringify(port.value, null, 2) ?? "null";
  const text = whole.length > longest ? `${whole.slice(0, longest)}… and ${plural(whole.length - longest, "more character")}` : whole;
  return text.length > 60 || text.includes("\n") ? h("pre.json", text) : h("code.value", { "data-value": port.name }, text);
}

/** Whether values are shown, in words. */
export const disclosure = () => (session.isRevealed ? "Values shown" : "Values hidden");
