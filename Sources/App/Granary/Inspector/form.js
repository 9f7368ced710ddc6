import { h } from "/inspector/dom.js";

/**
 * The supported part of JSON Schema (2020-12).
 * @typedef {true | undefined | {
 *   type?: string | string[], items?: Schema, anyOf?: Schema[], enum?: unknown[], $ref?: string, $defs?: Record<string, Schema>,
 *   properties?: Record<string, Schema>, additionalProperties?: Schema | false, required?: string[], minimum?: number, maximum?: number,
 *   format?: string,
 * }} Schema
 * @typedef {{node: HTMLElement, value: () => unknown}} Field a field of a form, which throws if its value is invalid
 */

/** The number of fields, for unique ids. */
let fields = 0;

/**
 * Creates the field of a schema, or null for an input without a value.
 * @param {Schema} schema
 * @param {string} label
 * @param {Record<string, Schema>} [definitions]
 * @returns {Field | null}
 */
export function field(schema, label, definitions = {}) {
  if (typeof schema !== "object") return jsonField(label);
  const known = { ...definitions, ...schema.$defs };
  if (schema.$ref) return field(known[schema.$ref.split("/").at(-1) ?? ""], label, known);
  if (schema.type === "null") return null;
  if (schema.enum) return choice(schema.enum, label);
  if (schema.anyOf) return alternatives(schema.anyOf, label, known);
  if (Array.isArray(schema.type)) {
    return alternatives(schema.type.map((type) => ({ ...schema, type })), label, known);
  }
  switch (schema.type) {
    case "boolean": return choice([true, false], label);
    case "string": return textField(label, schema.format);
    case "integer":
    case "number": return numberField(schema, label);
    case "array": return listField(schema.items, label, known);
    case "object":
      return schema.properties ? objectField(schema, label, known) : dictionaryField(schema.additionalProperties || true, label, known);
    default: return jsonField(label);
  }
}

/** @param {string} label @param {HTMLElement} control @param {string} [hint] */
function labelled(label, control, hint = "") {
  control.id = `field-${(fields += 1)}`;
  return h("div.field", h("label", { for: control.id }, label, hint && h("span.quiet", ` ${hint}`)), control);
}

/** @param {unknown[]} values @param {string} label @returns {Field} */
function choice(values, label) {
  const control = /** @type {HTMLSelectElement} */ (h("select", values.map((value) => h("option", String(value)))));
  return { node: labelled(label, control), value: () => values[control.selectedIndex] };
}

/** @param {string} label @param {string} [format] @returns {Field} */
function textField(label, format = "") {
  const control = /** @type {HTMLInputElement} */ (h("input", { type: "text", autocomplete: "off", spellcheck: "false" }));
  return { node: labelled(label, control, format), value: () => control.value };
}

/** @param {{type?: unknown, minimum?: number, maximum?: number}} schema @param {string} label @returns {Field} */
function numberField(schema, label) {
  const isWhole = schema.type === "integer";
  const control = /** @type {HTMLInputElement} */ (h("input", {
    type: "number", step: isWhole ? 1 : "any", min: schema.minimum, max: schema.maximum, required: true,
    value: String(Math.max(0, schema.minimum ?? 0)),
  }));
  const value = () => {
    if (!control.reportValidity()) throw new Error(`Enter a ${isWhole ? "whole number" : "number"} for ${label}.`);
    return Number(control.value);
  };
  return { node: labelled(label, control), value };
}

/** @param {string} label @returns {Field} */
function jsonField(label) {
  const control = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 3, spellcheck: "false", value: "null" }));
  const value = () => {
    try {
      return JSON.parse(control.value);
    } catch {
      control.focus();
      throw new Error(`Enter valid JSON for ${label}.`);
    }
  };
  return { node: labelled(label, control, "JSON"), value };
}

/** Offers one of several schemas, such as a value or none. @param {Schema[]} schemas @param {string} label @param {Record<string, Schema>} known @returns {Field} */
function alternatives(schemas, label, known) {
  const names = schemas.map((schema, index) => alternativeName(schema, index));
  // What is not there is the usual value of an optional member.
  const first = Math.max(0, schemas.findIndex((schema) => typeof schema === "object" && schema.type === "null"));
  const control = /** @type {HTMLSelectElement} */ (h("select", names.map((name, index) => h("option", { selected: index === first }, name))));
  const body = h("div.nested");
  /** @type {Field | null} */
  let chosen = null;
  const show = () => {
    chosen = field(schemas[control.selectedIndex], "value", known);
    body.replaceChildren(...(chosen ? [chosen.node] : []));
  };
  control.addEventListener("change", show);
  show();
  return { node: h("div.field-group", labelled(label, control), body), value: () => chosen?.value() ?? null };
}

/** @param {Schema} schema @param {number} index */
function alternativeName(schema, index) {
  if (typeof schema !== "object") return "any value";
  if (schema.type === "null") return "none";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "value";
  const [name] = Object.keys(schema.properties ?? {});
  return schema.type === "object" && name ? name : String(schema.type ?? `alternative ${index + 1}`);
}

/** @param {{properties?: Record<string, Schema>, required?: string[]}} schema @param {string} label @param {Record<string, Schema>} known @returns {Field} */
function objectField(schema, label, known) {
  const required = new Set(schema.required ?? []);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const inner = required.has(name) ? field(member, name, known) : optionalMember(member, name, known);
    return { name, field: inner };
  });
  const value = () => Object.fromEntries(members
    .map(({ name, field }) => [name, field ? field.value() : null])
    .filter(([, value]) => value !== undefined));
  return { node: h("fieldset", h("legend", label), members.map(({ field }) => field?.node)), value };
}

/** A member that may be missing. Created when it is there, because the types of members may be recursive. @param {Schema} schema @param {string} name @param {Record<string, Schema>} known @returns {Field} */
function optionalMember(schema, name, known) {
  const isThere = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox" }));
  const body = h("div.nested");
  /** @type {Field | null} */
  let inner = null;
  isThere.addEventListener("change", () => {
    inner = isThere.checked ? field(schema, name, known) : null;
    body.replaceChildren(...(inner ? [inner.node] : []));
  });
  const node = h("div.field-group", h("label.check", isThere, ` ${name}`), body);
  return { node, value: () => (isThere.checked ? inner?.value() ?? null : undefined) };
}

/** @param {Schema} schema @param {string} label @param {Record<string, Schema>} known @returns {Field} */
function listField(schema, label, known) {
  const list = h("div.nested");
  /** @type {Map<HTMLElement, Field | null>} */
  const elements = new Map();
  const add = () => {
    const element = field(schema, `${label} ${elements.size + 1}`, known);
    const row = h("div.element", element?.node, h("button.quiet-button", { type: "button", onclick: () => { elements.delete(row); row.remove(); } }, "Remove"));
    elements.set(row, element);
    list.append(row);
  };
  const node = h("fieldset", h("legend", label), list, h("button.quiet-button", { type: "button", onclick: add }, "Add an element"));
  return { node, value: () => [...elements.values()].map((element) => element?.value() ?? null) };
}

/** @param {Schema} schema @param {string} label @param {Record<string, Schema>} known @returns {Field} */
function dictionaryField(schema, label, known) {
  const list = h("div.nested");
  /** @type {Map<HTMLElement, {key: HTMLInputElement, field: Field | null}>} */
  const entries = new Map();
  const add = () => {
    const key = /** @type {HTMLInputElement} */ (h("input", { type: "text", autocomplete: "off" }));
    const element = field(schema, "value", known);
    const row = h("div.element", labelled("key", key), element?.node, h("button.quiet-button", { type: "button", onclick: () => { entries.delete(row); row.remove(); } }, "Remove"));
    entries.set(row, { key, field: element });
    list.append(row);
  };
  const node = h("fieldset", h("legend", label), list, h("button.quiet-button", { type: "button", onclick: add }, "Add an entry"));
  return { node, value: () => Object.fromEntries([...entries.values()].map(({ key, field }) => [key.value, field?.value() ?? null])) };
}
