import { fill, h } from "./element.js";
import { cases, definitionName, typeName } from "./schema.js";

/**
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {{node: HTMLElement, value: () => unknown}} Field a field of a form; `value` throws an error with a sentence for people if
 *   the browser cannot tell that it is invalid
 * @typedef {{known: import("./schema.js").Definitions, value: any}} Given the definitions, and the value with which a field begins;
 *   undefined, or one that does not fit, for none
 */

/** The number of fields, for unique ids. */
let fields = 0;

/**
 * Creates the field of a schema; null if its only value is null.
 * @param {Schema} schema
 * @param {string} label
 * @param {unknown} [value] with which it begins
 * @returns {Field | null}
 */
export function field(schema, label, value) {
  return part(schema, label, { known: {}, value });
}

/** @param {Schema} schema @param {string} label @param {Given} given @returns {Field | null} */
function part(schema, label, { known: outer, value }) {
  if (typeof schema !== "object") return alternatives(anything, label, { known: outer, value });
  const given = { known: schema.$defs ? { ...outer, ...schema.$defs } : outer, value };
  if (schema.$ref) return part(given.known[definitionName(schema.$ref)], label, given);
  if (schema.type === "null") return null;
  if (schema.enum) return choice(schema.enum, label, given);
  if (schema.anyOf) return alternatives(schema.anyOf, label, given);
  if (Array.isArray(schema.type)) return alternatives(schema.type.map((type) => ({ ...schema, type })), label, given);
  switch (schema.type) {
    case "boolean": return choice([true, false], label, given);
    case "string": return formats[schema.format ?? ""]?.(label, given) ?? textField(label, given, typeName(schema));
    case "integer":
    case "number": return numberField(schema, label, given);
    case "array": return listField(schema.items, label, given);
    case "object": {
      const found = cases(schema);
      if (found) return caseField(found, label, given);
      return schema.properties ? objectField(schema, label, given) : dictionaryField(schema.additionalProperties || true, label, given);
    }
    default: return alternatives(anything, label, given);
  }
}

/** What a value without a schema can be. @type {Schema[]} */
const anything = [
  { type: "null" }, { type: "string" }, { type: "number" }, { type: "boolean" }, { type: "array" }, { type: "object" },
];

/** @param {string} label @param {HTMLElement} control @param {string} [hint] @param {...import("./element.js").Child} more */
function labelled(label, control, hint = "", ...more) {
  control.id = `field-${(fields += 1)}`;
  return h("div.field", h("label", { for: control.id }, label, hint && h("span.type", ` ${hint}`)), control, more);
}

/** @param {string} text @param {(event: Event) => void} onclick @param {string} [label] for those who do not see what is around it */
function smallButton(text, onclick, label) {
  return h("button.quiet-button", { type: "button", onclick, "aria-label": label }, text);
}

/** @param {unknown[]} values @param {string} label @param {Given} given @returns {Field} */
function choice(values, label, { value }) {
  const control = /** @type {HTMLSelectElement} */ (h("select", values.map((each) => h("option", { selected: each === value }, String(each)))));
  return { node: labelled(label, control), value: () => values[control.selectedIndex] };
}

/** @param {Given} given @param {Record<string, unknown>} [attributes] */
function textInput({ value }, attributes) {
  return /** @type {HTMLInputElement} */ (h("input", {
    type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", value: typeof value === "string" ? value : "", ...attributes,
  }));
}

/** A text of any number of lines, which Enter sends. @param {string} label @param {Given} given @param {string} hint @returns {Field} */
function textField(label, { value }, hint) {
  const control = /** @type {HTMLTextAreaElement} */ (h("textarea", {
    rows: 1, autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "send", title: "Shift and Enter begin a line.",
    value: typeof value === "string" ? value : "",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      control.form?.requestSubmit();
    },
  }));
  return { node: labelled(label, control, hint), value: () => control.value };
}

/** The fields of texts with a format. @type {Record<string, (label: string, given: Given) => Field>} */
const formats = {
  "date-time": (label, { value }) => {
    const time = new Date(typeof value === "string" ? value : Date.now());
    const local = Number.isNaN(time.getTime()) ? "" : new Date(time.getTime() - 60_000 * time.getTimezoneOffset()).toISOString().slice(0, 19);
    const control = /** @type {HTMLInputElement} */ (h("input", { type: "datetime-local", step: 1, max: "9999-12-31T23:59:59", required: true, value: local }));
    return { node: labelled(label, control, "date and time, in your time zone"), value: () => new Date(control.value).toISOString().replace(".000Z", "Z") };
  },
  uuid: (label, given) => {
    const control = textInput(given, { required: true, pattern: "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", title: "Expected a UUID, such as 2F1B7A8C-5D34-4E0B-9C61-7A0E4D5B3F28." });
    // Only secure contexts have it.
    const random = crypto.randomUUID && smallButton("Random", () => { control.value = crypto.randomUUID().toUpperCase(); }, `Random UUID for ${label}`);
    return { node: labelled(label, control, "UUID", random), value: () => control.value };
  },
  uri: (label, given) => {
    const control = textInput(given, { required: true, inputmode: "url" });
    return { node: labelled(label, control, "URL"), value: () => control.value };
  },
  base64: (label, given) => {
    const control = textInput(given, { pattern: "([A-Za-z0-9+\\/]{4})*([A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?", title: "Expected text in base64." });
    const file = /** @type {HTMLInputElement} */ (h("input", { type: "file", "aria-label": `File for ${label}` }));
    file.addEventListener("change", () => {
      const reader = new FileReader();
      reader.addEventListener("load", () => { control.value = String(reader.result).split(",")[1] ?? ""; });
      if (file.files?.[0]) reader.readAsDataURL(file.files[0]);
    });
    return { node: labelled(label, control, "data in base64", file), value: () => control.value };
  },
};

/** @param {{type?: unknown, minimum?: number, maximum?: number}} schema @param {string} label @param {Given} given @returns {Field} */
function numberField({ type, minimum = -Infinity, maximum = Infinity }, label, { value }) {
  const isWhole = type === "integer";
  // A bound that is not exact here would refuse numbers that the server accepts.
  const bound = (/** @type {number} */ limit) => (Number.isSafeInteger(limit) ? limit : undefined);
  const [least, most] = [bound(minimum), bound(maximum)];
  const control = /** @type {HTMLInputElement} */ (h("input", {
    type: "number", step: isWhole ? 1 : "any", min: least, max: most, required: true,
    value: String(typeof value === "number" ? value : Math.min(Math.max(0, minimum), maximum)),
  }));
  const hint = `${isWhole ? "integer" : "number"}${least === undefined && most === undefined ? "" : `, ${least ?? "…"} to ${most ?? "…"}`}`;
  const read = () => {
    const number = Number(control.value);
    if (!isWhole || Number.isSafeInteger(number)) return number;
    // JavaScript has no exact number for it, but recent browsers can send its digits.
    if ("rawJSON" in JSON && /^-?\d+$/.test(control.value)) return /** @type {any} */ (JSON).rawJSON(BigInt(control.value).toString());
    throw new Error(`This browser cannot send ${control.value} exactly. Use curl.`);
  };
  return { node: labelled(label, control, hint), value: read };
}

/** Offers one of several schemas, or a value or none. @param {Schema[]} schemas @param {string} label @param {Given} given @returns {Field} */
function alternatives(schemas, label, { known, value }) {
  const others = schemas.filter((schema) => typeof schema !== "object" || schema.type !== "null");
  if (others.length === 1 && schemas.length > 1) return optionalField(others[0], label, { known, value }, null);
  const first = Math.max(0, schemas.findIndex((schema) => isLike(schema, value ?? null, known)));
  const control = /** @type {HTMLSelectElement} */ (h("select", schemas.map((schema, index) => h("option", { selected: index === first }, typeName(schema).replace("no value", "null").replace(" of any value", "")))));
  const body = h("div.nested");
  /** @type {Field | null} */
  let chosen = null;
  const show = (initial) => {
    chosen = part(schemas[control.selectedIndex], "value", { known, value: initial });
    fill(body, chosen?.node);
  };
  control.addEventListener("change", () => show(undefined));
  show(value);
  return { node: h("div.field-group", labelled(label, control), body), value: () => (chosen ? chosen.value() : null) };
}

/** Whether a value has the type of a schema. @param {Schema} schema @param {unknown} value @param {import("./schema.js").Definitions} known @returns {boolean} */
function isLike(schema, value, known) {
  if (typeof schema !== "object") return true;
  if (schema.$ref) return isLike(known[definitionName(schema.$ref)], value, known);
  if (schema.enum) return schema.enum.includes(value);
  if (schema.anyOf) return schema.anyOf.some((each) => isLike(each, value, known));
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return schema.type === type || schema.type === "integer" && type === "number";
}

/**
 * A value that may be missing. What is inside is created when it is needed, because types may be recursive.
 * @param {Schema} schema @param {string} label @param {Given} given @param {null | undefined} absent @returns {Field}
 */
function optionalField(schema, label, { known, value }, absent) {
  const isThere = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: value !== undefined && value !== null }));
  const body = h("div.nested");
  /** @type {Field | null} */
  let inner = null;
  const show = (initial) => {
    inner = isThere.checked ? part(schema, "value", { known, value: initial }) : null;
    fill(body, inner?.node);
  };
  isThere.addEventListener("change", () => show(undefined));
  show(value);
  const node = h("div.field-group", h("label.check", isThere, h("span", label, h("span.type", ` ${typeName(schema)}, optional`))), body);
  return { node, value: () => (isThere.checked ? inner?.value() ?? null : absent) };
}

/** @param {Record<string, Schema>} found @param {string} label @param {Given} given @returns {Field} */
function caseField(found, label, { known, value }) {
  const first = Object.keys(found).find((name) => isObject(value) && name in value);
  // Without a choice in the beginning, a case that contains its own type does not go on for ever.
  const control = /** @type {HTMLSelectElement} */ (h("select", { required: true },
    h("option", { value: "" }, "Choose…"), Object.keys(found).map((name) => h("option", { value: name, selected: name === first }, name))));
  const body = h("div.nested");
  /** @type {Field | null} */
  let payload = null;
  const show = (initial) => {
    payload = control.value ? objectField(/** @type {any} */ (found[control.value]), "", { known, value: initial }) : null;
    fill(body, payload?.node);
  };
  control.addEventListener("change", () => show(undefined));
  show(first && value[first]);
  return { node: h("div.field-group", labelled(label, control), body), value: () => ({ [control.value]: payload?.value() }) };
}

/** @param {{properties?: Record<string, Schema>, required?: string[]}} schema @param {string} label @param {Given} given @returns {Field} */
function objectField(schema, label, { known, value }) {
  const names = Object.keys(schema.properties ?? {});
  const members = names.map((name) => {
    const member = schema.properties?.[name];
    const given = { known, value: isObject(value) ? value[name] : undefined };
    // Swift names the values of a case that have no name `_0`, `_1` and so on.
    const title = name.replace(/^_(\d+)$/, (_, index) => (names.length === 1 ? "value" : `value ${Number(index) + 1}`));
    const isOptional = !schema.required?.includes(name);
    const inner = typeof member === "object" && member.anyOf?.length === 2 ? member.anyOf.find((each) => typeof each !== "object" || each.type !== "null") : member;
    return { name, field: isOptional ? optionalField(inner, title, given, undefined) : part(member, title, given) };
  });
  const nodes = members.map(({ field }) => field?.node);
  const node = label ? h("fieldset", h("legend", label), names.length === 0 && h("p.type", "No members."), nodes) : h("div.nested", nodes);
  const read = () => Object.fromEntries(members.map(({ name, field }) => [name, field ? field.value() : null]).filter(([, each]) => each !== undefined));
  return { node, value: read };
}

/**
 * Elements that can be added and removed.
 * @template Item
 * @param {string} label @param {string} noun @param {(number: number) => {node: import("./element.js").Child, item: Item}} make
 */
function elements(label, noun, make) {
  const list = h("div.nested");
  /** @type {Map<HTMLElement, Item>} */
  const items = new Map();
  let count = 0;
  const add = (/** @type {typeof make} */ create) => {
    const { node, item } = create((count += 1));
    const row = h("div.element", { role: "group", "aria-label": `${noun} ${count}` }, node, smallButton("Remove", () => {
      items.delete(row);
      row.remove();
      adder.focus();
    }, `Remove ${noun} ${count} of ${label}`));
    items.set(row, item);
    list.append(row);
    return row;
  };
  const adder = smallButton(`Add an ${noun}`, () => {
    const row = add(make);
    /** @type {HTMLElement | null} */ (row.querySelector("input, select, textarea"))?.focus();
  }, `Add an ${noun} to ${label}`);
  return { node: h("fieldset", h("legend", label), list, adder), items, add };
}

/** @param {Schema} schema @param {string} label @param {Given} given @returns {Field} */
function listField(schema, label, { known, value }) {
  const make = (/** @type {unknown} */ initial) => (/** @type {number} */ number) => {
    const item = part(schema, `${number}`, { known, value: initial });
    return { node: item?.node, item };
  };
  const { node, items, add } = elements(label, "element", make(undefined));
  if (Array.isArray(value)) for (const each of value) add(make(each));
  return { node, value: () => [...items.values()].map((item) => (item ? item.value() : null)) };
}

/** @param {Schema} schema @param {string} label @param {Given} given @returns {Field} */
function dictionaryField(schema, label, { known, value }) {
  const make = (key = "", /** @type {unknown} */ initial = undefined) => () => {
    const name = textInput({ known, value: key });
    const item = part(schema, "value", { known, value: initial });
    return { node: h("div.field-group", labelled("key", name), item?.node), item: { name, item } };
  };
  const { node, items, add } = elements(label, "entry", make());
  if (isObject(value)) for (const [key, each] of Object.entries(value)) add(make(key, each));
  const read = () => {
    const entries = [...items.values()].map(({ name, item }) => /** @type {[string, unknown]} */ ([name.value, item ? item.value() : null]));
    const twice = entries.find(([key], index) => entries.findIndex(([other]) => other === key) < index);
    if (twice) throw new Error(`Two entries of ${label} have the key "${twice[0]}".`);
    return Object.fromEntries(entries);
  };
  return { node, value: read };
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
