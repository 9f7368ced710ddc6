import { open } from "./client/granary.js";
import { RequestNote } from "./note.js";
import { SessionStatus } from "./status.js";

/** The inputs and outputs that this card requires. @type {import("./shape.js").Shape} */
export const counterShape = {
  inputs: { increment: "null", decrement: "null", isOn: "boolean" },
  outputs: { count: "integer", isIncrementEnabled: "boolean", isDecrementEnabled: "boolean", toggleText: "string" },
};

/**
 * Shows and controls a counter in `section`.
 * @param {HTMLElement} section
 * @param {string} machine
 */
export function startCounter(section, machine) {
  const count = section.querySelector("[data-output=count]");
  const decrement = section.querySelector("[data-input=decrement]");
  const increment = section.querySelector("[data-input=increment]");
  const toggle = section.querySelector("[data-input=isOn]");
  const label = section.querySelector("[data-output=toggleText]");

  const session = open(machine, { name: "main", queue: 0 });
  const status = new SessionStatus(section, section.querySelector(".badge"), session);
  session.on("change", (_, outputs) => show(outputs));

  /** @param {Record<string, unknown>} outputs */
  function show(outputs) {
    count.textContent = String(outputs.count ?? "–");
    increment.disabled = outputs.isIncrementEnabled !== true;
    decrement.disabled = outputs.isDecrementEnabled !== true;
    toggle.disabled = false;
    toggle.checked = outputs.isIncrementEnabled === true;
    label.textContent = String(outputs.toggleText ?? "");
  }

  /**
   * @param {HTMLElement} control
   * @param {string} name
   * @param {string} event
   * @param {() => unknown} [value]
   */
  function connect(control, name, event, value = () => undefined) {
    const note = new RequestNote(control, name);
    section.append(note.node);
    session.on("new-session", () => note.clear());
    control.addEventListener(event, async () => {
      status.acknowledge();
      const isDone = await note.follow(session.send(control.dataset.input, value()));
      // The input failed, so the switch must show the state of the machine again instead of the requested one.
      if (!isDone) show(session.outputs);
    });
  }

  connect(increment, "Increment", "click");
  connect(decrement, "Decrement", "click");
  connect(toggle, "Switch", "change", () => toggle.checked);
  section.append(...status.nodes);
}
