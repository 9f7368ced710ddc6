import { open } from "./client/granary.js";
import { element } from "./element.js";
import { RequestNote } from "./note.js";
import { OutputList } from "./outputs.js";
import { example, typeName } from "./schema.js";
import { SessionStatus } from "./status.js";

/**
 * Opens a console for a machine in its card, with a control for each input, created from its schema, and the current
 * value of each output. The button that opened the console closes it, and so does Escape.
 * @param {HTMLElement} card
 * @param {HTMLButtonElement} button
 * @param {import("./machines.js").Machine} machine
 */
export function openConsole(card, button, machine) {
  const ports = [...card.querySelectorAll(".ports")];
  const panel = element("div", "console");
  panel.setAttribute("role", "group");
  panel.setAttribute("aria-label", `Console of ${machine.name}`);
  panel.tabIndex = -1;
  const badge = element("span", "badge");
  const outputs = new OutputList(machine.outputs);
  const session = open(machine.name, { queue: 0 });
  const status = new SessionStatus(panel, badge, session);
  session.on("change", (changes) => outputs.show(changes));
  session.on("event", ({ output, value }) => outputs.show({ [output]: value }));
  session.on("new-session", () => {
    for (const { note } of controls) note.clear();
    outputs.clear();
  });
  const send = (name, value) => {
    status.acknowledge();
    return session.send(name, value);
  };

  const inputs = element("div", "console-inputs");
  const controls = machine.inputs.map((port) => input(port, send));
  inputs.append(...controls.flatMap(({ nodes }) => nodes));
  panel.append(badge, ...status.nodes, inputs, outputs.node);
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) button.click();
  });

  for (const block of ports) block.hidden = true;
  button.before(panel);
  setButton("Close");
  button.addEventListener("click", close, { capture: true, once: true });
  panel.focus({ preventScroll: true });

  /** @param {Event} event */
  function close(event) {
    event.stopImmediatePropagation();
    panel.remove();
    session.end();
    for (const block of ports) block.hidden = false;
    setButton("Open");
    button.focus();
  }

  /** @param {string} word */
  function setButton(word) {
    button.textContent = word;
    button.setAttribute("aria-label", `${word} ${machine.name}`);
    button.setAttribute("aria-expanded", String(word === "Close"));
  }
}

/** The number of fields that were created, for unique element ids. */
let fields = 0;

/**
 * Creates the control of an input: a button if it has no value, otherwise a field and a button.
 * @param {import("./machines.js").Port} port
 * @param {(name: string, value?: unknown) => Promise<unknown>} send
 */
function input({ name, schema }, send) {
  const form = element("form", "console-input");
  form.dataset.input = name;
  const label = element("label", "", name);
  const button = element("button", "wide", "Send");
  const field = control(schema);
  if (field === null) {
    button.textContent = name;
    form.append(button);
  } else {
    field.node.id = `input-${(fields += 1)}`;
    label.htmlFor = field.node.id;
    label.append(" ", element("span", "type", typeName(schema)));
    button.setAttribute("aria-label", `Send ${name}`);
    form.append(label, field.node, button);
  }
  // Buttons share a row, so their notes are placed below the row.
  const note = new RequestNote(button, field === null ? name : "");
  if (field !== null) form.append(note.node);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field === null) return note.follow(send(name));
    let value;
    try {
      value = field.value();
    } catch {
      field.node.setCustomValidity("Enter valid JSON.");
      field.node.reportValidity();
      return;
    }
    note.follow(send(name, value));
  });
  field?.node.addEventListener("input", () => field.node.setCustomValidity(""));
  return { note, nodes: field === null ? [form, note.node] : [form] };
}

/**
 * Creates a field for a schema, or null if the input has no value.
 * @param {import("./schema.js").Schema} schema
 * @returns {{node: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, value: () => unknown} | null}
 */
function control(schema) {
  const type = typeof schema === "object" ? schema.type : undefined;
  if (type === "null") return null;
  if (typeof schema === "object" && schema.enum) return choice(schema.enum);
  if (type === "boolean") return choice([true, false]);
  if (type === "string") {
    const field = element("input");
    return { node: field, value: () => field.value };
  }
  if (type === "integer" || type === "number") {
    const field = element("input");
    field.type = "number";
    field.value = String(example(schema));
    field.required = true;
    if (type === "number") field.step = "any";
    return { node: field, value: () => Number(field.value) };
  }
  const field = element("textarea");
  field.spellcheck = false;
  field.value = JSON.stringify(example(schema), null, 1);
  field.rows = Math.min(8, field.value.split("\n").length);
  return { node: field, value: () => JSON.parse(field.value) };
}

/** @param {unknown[]} values */
function choice(values) {
  const field = element("select");
  field.append(...values.map((value) => new Option(String(value))));
  return { node: field, value: () => values[field.selectedIndex] };
}
