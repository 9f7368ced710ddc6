import { element } from "./element.js";
import { example, typeName } from "./schema.js";
import { MachineSession } from "./session.js";
import { showSituation } from "./situation.js";

/**
 * Opens a console for any machine in its card: a control for each input, made from its schema, and each output as it
 * is now. The button that opened it closes it.
 * @param {HTMLElement} card
 * @param {HTMLButtonElement} button
 * @param {import("./machines.js").Machine} machine
 */
export function openConsole(card, button, machine) {
  const ports = [...card.querySelectorAll(".ports")];
  const panel = element("div", "console");
  const badge = element("span", "badge");
  badge.dataset.situation = "connecting";
  badge.setAttribute("role", "status");
  const detail = element("p", "detail");
  detail.dataset.detail = "";
  detail.setAttribute("role", "alert");

  const shown = new Map(machine.outputs.map(({ name, schema }) => [name, output(name, typeName(schema))]));
  const session = new MachineSession(machine.name, {
    changed(_, changes) {
      for (const [name, value] of Object.entries(changes)) shown.get(name)?.show(value);
    },
    emitted: (name, value) => shown.get(name)?.show(value),
    situation: (situation, text) => showSituation(panel, situation, text),
  });
  const send = async (name, value) => {
    try {
      await session.send(name, value);
      detail.textContent = "";
    } catch (error) {
      detail.textContent = `${name}: ${error.message}`;
    }
  };

  const inputs = element("div", "console-inputs");
  inputs.append(...machine.inputs.map((port) => input(port, send)));
  const outputs = element("dl", "console-outputs");
  outputs.append(...[...shown.values()].flatMap(({ nodes }) => nodes));
  panel.append(badge, inputs, outputs, detail);

  for (const block of ports) block.hidden = true;
  button.before(panel);
  setButton("Close");
  button.addEventListener("click", close, { capture: true, once: true });
  session.open();

  /** @param {Event} event */
  function close(event) {
    event.stopImmediatePropagation();
    session.end();
    panel.remove();
    for (const block of ports) block.hidden = false;
    setButton("Open");
  }

  /** @param {string} word */
  function setButton(word) {
    button.textContent = word;
    button.setAttribute("aria-label", `${word} ${machine.name}`);
  }
}

/** How many fields were made, for ids that are the page's own. */
let fields = 0;

/**
 * The control of one input: a button where it has no value, otherwise a field for the value and a button.
 * @param {import("./machines.js").Port} port
 * @param {(name: string, value?: unknown) => void} send
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
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field === null) return send(name);
    try {
      send(name, field.value());
    } catch {
      field.node.setCustomValidity("This is no JSON.");
      field.node.reportValidity();
    }
  });
  field?.node.addEventListener("input", () => field.node.setCustomValidity(""));
  return form;
}

/**
 * The field for a value of a schema, or null where there is no value to give.
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
  field.rows = 3;
  field.spellcheck = false;
  field.value = JSON.stringify(example(schema), null, 1);
  return { node: field, value: () => JSON.parse(field.value) };
}

/** @param {unknown[]} values */
function choice(values) {
  const field = element("select");
  field.append(...values.map((value) => new Option(String(value))));
  return { node: field, value: () => values[field.selectedIndex] };
}

/**
 * The place of one output.
 * @param {string} name
 * @param {string} type
 */
function output(name, type) {
  const value = element("dd");
  value.dataset.output = name;
  value.textContent = "–";
  const term = element("dt", "", name);
  term.title = type;
  return {
    nodes: [term, value],
    /** @param {unknown} changed */
    show(changed) {
      value.textContent = typeof changed === "string" ? changed : JSON.stringify(changed);
    },
  };
}
