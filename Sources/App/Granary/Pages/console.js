import { open } from "./client/granary.js";
import { recall } from "./client/memory.js";
import { CopyBar } from "./copy.js";
import { element, h } from "./element.js";
import { field } from "./form.js";
import { invitation } from "./link.js";
import { EventLog } from "./log.js";
import { RequestNote } from "./note.js";
import { OutputList } from "./outputs.js";
import { SessionStatus } from "./status.js";

/** What the names of sessions begin with that consoles have created. */
const ownName = "console-";

/**
 * A console for a machine in its card, with a form for each input, created from its schema, the current value of each output and a log.
 * The button that opens it closes it, and so does Escape.
 */
export class Console {
  /** The input of the address that is in the form, until an input is sent. @type {{input?: string, value?: string}} */
  linked = {};
  /** @type {import("./client/machine.js").Machine | null} */
  #session = null;
  /** @type {ReturnType<typeof input>[]} */
  #controls = [];

  /**
   * @param {import("./machines.js").Machine} machine
   * @param {string} [session] the name of its session; without one, it creates one
   * @param {{close: () => void, sent: () => void}} events `close` is called when the user closes it
   */
  constructor(machine, session = `${ownName}${Math.random().toString(36).slice(2, 10)}`, events) {
    this.machine = machine;
    this.session = session;
    this.events = events;
    this.node = h("div.console", { role: "group", "aria-label": `Console of ${machine.name}`, tabindex: -1 });
    this.node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      events.close();
    });
    const invited = invitation(machine.name);
    // A session that exists needs no parameters.
    if (machine.parameters && invited === null && recall(`session-${machine.name}-${session}`) === null) this.#ask();
    else this.#begin(invited ? { session: invited.session, ticket: invited.ticket } : {});
  }

  /** Asks for what the machine needs to know. */
  #ask() {
    const parameters = field(this.machine.parameters, "Parameters");
    const note = h("p.note.is-error", { role: "status" });
    const form = h("form.console-input", {
      onsubmit: (event) => {
        event.preventDefault();
        try {
          const value = parameters?.value();
          form.remove();
          this.#begin({ parameters: value });
        } catch (error) {
          note.textContent = error.message;
        }
      },
    }, parameters?.node, h("button.wide", "Start"), note);
    this.node.append(form);
  }

  /** @param {{session?: string, ticket?: string, parameters?: any}} options */
  #begin(options) {
    const { machine } = this;
    const badge = element("span", "badge");
    const outputs = new OutputList(machine.outputs);
    const log = new EventLog();
    const session = open(machine.name, { name: this.session, queue: 0, ...options });
    this.#session = session;
    const status = new SessionStatus(this.node, badge, session);
    session.on("change", (changes) => {
      outputs.show(changes);
      log.changed(session.version, changes);
    });
    session.on("event", ({ output, value }) => {
      outputs.show({ [output]: value });
      log.changed(session.version, { [output]: value });
    });
    session.on("version", (version) => log.arrived(version));
    session.on("new-session", () => {
      for (const { note } of this.#controls) note.clear();
      outputs.clear();
      log.begin();
    });
    let former = "connecting";
    session.on("status", ({ status: current, message = "" }) => {
      if (current !== former && (current !== "connecting" && former !== "connecting" || current === "ended")) log.note({ live: "Connected", offline: "Disconnected", ended: "Ended" }[current] ?? current, message);
      if (current !== "connecting") former = current;
    });
    const send = (/** @type {string} */ name, /** @type {unknown} */ value) => {
      status.acknowledge();
      this.linked = {};
      const step = log.sent(name, value);
      const sent = session.send(name, value, { answered: step.answered });
      sent.catch((error) => step.failed(error.message));
      this.events.sent();
      return sent;
    };
    this.#controls = machine.inputs.map((port) => input(port, send));
    const copy = new CopyBar(machine, options.parameters, (name) => this.#controls.find((control) => control.name === name)?.value());
    const inputs = h("div.console-inputs", this.#controls.flatMap(({ nodes }) => nodes));
    inputs.addEventListener("focusin", ({ target }) => copy.choose(/** @type {HTMLElement} */ (target).closest("form")?.dataset.input));
    this.node.append(
      h("div.console-side", badge, ...status.nodes, inputs, machine.inputs.length > 0 && copy.node),
      h("div.console-side", outputs.node), log.node);
    this.show(this.linked);
  }

  /**
   * Shows an input of the address in the form. It does not send it.
   * @param {{input?: string, value?: string}} linked `value` is JSON
   */
  show({ input, value }) {
    this.linked = input === undefined ? {} : { input, value };
    this.#controls.find(({ name }) => name === input)?.prefill(value);
  }

  /** Stops following the session, which stays, so that it is found again by its name. */
  leave() {
    this.#session?.close();
    this.node.remove();
  }

  /** Deletes the session, if a console has created it for its user. */
  end() {
    if (this.session.startsWith(ownName) && !this.#session?.isGuest) this.#session?.end();
    this.leave();
  }
}

/**
 * Creates the control of an input: a button if it has no value, otherwise a form.
 * @param {import("./machines.js").Port} port
 * @param {(name: string, value?: unknown) => Promise<unknown>} send
 */
function input({ name, schema }, send) {
  const form = h("form.console-input", { "data-input": name });
  const button = element("button", "wide", "Send");
  let content = field(schema, name);
  const hasValue = content !== null;
  if (content === null) {
    button.textContent = name;
    form.append(button);
  } else {
    button.setAttribute("aria-label", `Send ${name}`);
    form.append(content.node, button);
  }
  // Buttons share a row, so their notes are placed below the row.
  const note = new RequestNote(button, hasValue ? "" : name);
  if (hasValue) form.append(note.node);
  const value = () => content?.value();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // What the form cannot tell fails here, too.
    note.follow((async () => hasValue ? send(name, value()) : send(name))());
  });
  const prefill = (/** @type {string | undefined} */ text) => {
    try {
      const prefilled = hasValue && text !== undefined ? field(schema, name, JSON.parse(text)) : content;
      if (content && prefilled) content.node.replaceWith(prefilled.node);
      content = prefilled;
      note.show("From the link. Nothing has been sent.");
    } catch {
      note.show("The value of the link is not JSON.");
    }
    form.scrollIntoView({ block: "center" });
    // Not the button, which the key that scrolls would press.
    /** @type {HTMLElement | null} */ (form.querySelector("input, select, textarea"))?.focus({ preventScroll: true });
  };
  return { name, note, value, prefill, nodes: hasValue ? [form] : [form, note.node] };
}
