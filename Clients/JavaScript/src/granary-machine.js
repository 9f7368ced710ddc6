import { open } from "./granary.js";

/** The properties that show a value, by the tag of an element. */
const shown = { INPUT: "value", SELECT: "value", TEXTAREA: "value", PROGRESS: "value", METER: "value" };

/**
 * `<granary-machine name="counter" session-name="main">`, with the markup of a view:
 * - `data-output="count"` shows an output: as the text of an element, the value of a field, or the state of a checkbox
 * - `data-enabled="isOn"` and `data-hidden="isEmpty"` follow an output that is true or false
 * - `data-input="increment"` sends an input: when a button is clicked, without a value or with the JSON of `data-value`; when a
 *   field is changed, with its value; when a form is submitted, with the value of its first field, or the object of several
 *
 * `server`, `credentials` and `parameters` (JSON) are those of `open`, and `session` and `ticket` follow an existing session. The property
 * `options` has what an attribute cannot or should not have, such as `token`.
 *
 * The attribute `status` has the status. The events `change`, `event`, `status`, `new-session`, `end` and `failed` have the details.
 */
export class GranaryMachineElement extends HTMLElement {
  static observedAttributes = ["name", "server", "session-name", "parameters", "credentials", "session", "ticket"];

  /** @type {import("./machine.js").Machine | null} */
  machine = null;
  /** What the machine was opened with. */
  #settings = "";
  #options = {};

  constructor() {
    super();
    // A script may have set them before the element was defined.
    if (Object.hasOwn(this, "options")) {
      const { options } = this;
      delete this.options;
      this.options = options;
    }
    for (const event of ["click", "change", "submit"]) this.addEventListener(event, (happened) => this.#send(happened));
  }

  /** Further options of `open`. Others open the machine again. */
  get options() {
    return this.#options;
  }

  set options(options) {
    this.#options = options;
    if (this.#settings !== "") this.#settings = "other options";
    queueMicrotask(() => this.#update());
  }

  connectedCallback() {
    // An element that was moved continues.
    if (this.machine === null) this.#update();
    else queueMicrotask(() => this.#update());
  }

  disconnectedCallback() {
    queueMicrotask(() => this.#update());
  }

  attributeChangedCallback() {
    // Several attributes may change together.
    queueMicrotask(() => this.#update());
  }

  /** Opens the machine that the attributes describe, as long as the element is in a document. */
  #update() {
    const attributes = GranaryMachineElement.observedAttributes.map((each) => this.getAttribute(each) ?? undefined);
    const [name, server, sessionName, parameters, credentials, session, ticket] = attributes;
    const settings = this.isConnected && name ? JSON.stringify(attributes) : "";
    if (settings === this.#settings) return;
    this.#settings = settings;
    this.machine?.close();
    this.machine = null;
    if (settings === "") return;
    const described = { name: sessionName, server, credentials, session, ticket, parameters: parameters && JSON.parse(parameters) };
    const known = Object.entries(described).filter(([, value]) => value !== undefined);
    const machine = open(name, { ...this.#options, ...Object.fromEntries(known) });
    this.machine = machine;
    machine.on("change", () => this.#show());
    for (const event of ["change", "event", "status", "new-session", "end"]) {
      machine.on(event, (detail) => this.machine === machine && this.dispatchEvent(new CustomEvent(event, { detail })));
    }
    const report = () => this.setAttribute("status", machine.status.status);
    machine.on("status", report);
    report();
  }

  #show() {
    const outputs = this.machine?.outputs ?? {};
    for (const node of this.querySelectorAll("[data-output], [data-enabled], [data-hidden]")) {
      const { output, enabled, hidden } = node.dataset;
      if (output !== undefined) show(node, outputs[output]);
      if (enabled !== undefined) node.disabled = outputs[enabled] !== true;
      if (hidden !== undefined) node.hidden = outputs[hidden] === true;
    }
  }

  /** @param {Event} event */
  #send(event) {
    const node = /** @type {any} */ (event.target).closest("[data-input]");
    if (node === null || this.machine === null || !this.contains(node)) return;
    const isForm = node.tagName === "FORM";
    const isField = node.tagName in shown;
    if (event.type !== (isForm ? "submit" : isField ? "change" : "click")) return;
    if (isForm) event.preventDefault();
    const text = node.dataset.value;
    const value = isForm ? formValue(node) : isField ? fieldValue(node) : text && JSON.parse(text);
    this.machine.send(node.dataset.input, value).then(() => isForm && node.reset(), (error) => {
      this.#show();
      this.dispatchEvent(new CustomEvent("failed", { detail: { input: node.dataset.input, error } }));
    });
  }
}

/** Shows a value, always as text. */
function show(node, value) {
  if (node.type === "checkbox") node.checked = value === true;
  // What somebody types is not replaced.
  else if (node.tagName in shown) node === document.activeElement || (node.value = text(value));
  else if (node.textContent !== text(value)) node.textContent = text(value);
}

function text(value) {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
}

function fieldValue(field) {
  if (field.type === "checkbox") return field.checked;
  return field.type === "number" || field.type === "range" ? field.valueAsNumber : field.value;
}

function formValue(form) {
  const fields = [...form.elements].filter(({ name, tagName }) => name && tagName in shown);
  if (fields.length < 2) return fields.length === 0 ? undefined : fieldValue(fields[0]);
  return Object.fromEntries(fields.map((field) => [field.name, fieldValue(field)]));
}

globalThis.customElements?.get("granary-machine") ?? globalThis.customElements?.define("granary-machine", GranaryMachineElement);
