/**
 * The supported part of JSON Schema (2020-12).
 * @typedef {true | undefined | {
 *   type?: string | string[], items?: Schema, anyOf?: Schema[], enum?: unknown[], $ref?: string, $defs?: Definitions,
 *   properties?: Record<string, Schema>, additionalProperties?: Schema | false, required?: string[], minimum?: number, maximum?: number,
 *   format?: string,
 * }} Schema
 * @typedef {Record<string, Schema>} Definitions the recursive types of a schema
 */

/** The name of the definition to which a reference leads (RFC 6901). @param {string} reference */
export function definitionName(reference) {
  return decodeURIComponent(reference.split("/").at(-1) ?? "").replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * The cases of an enumeration with associated values, which is an object with one of its members; null for other schemas. Each case
 * is an object, and none is required or may be null.
 * @param {Schema} schema
 * @returns {Record<string, any> | null}
 */
export function cases(schema) {
  if (typeof schema !== "object" || !schema.properties || schema.required?.length) return null;
  const members = Object.values(schema.properties);
  const isEnumeration = members.length > 0 && members.every((member) => typeof member === "object" && member.properties);
  return isEnumeration ? schema.properties : null;
}

/**
 * Describes a JSON Schema in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeName(schema) {
  if (schema === true || schema === undefined) return "any value";
  if (schema.$ref) return definitionName(schema.$ref);
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ").replace("no value", "null");
  if (Array.isArray(schema.type)) return schema.type.filter((name) => name !== "null").join(" or ") + ", or null";
  switch (schema.type) {
    case "null": return "no value";
    case "array": return `list of ${typeName(schema.items)}`;
    case "string": return formats[schema.format ?? ""] ?? "string";
    case "object":
      if (!schema.properties) return `dictionary of ${typeName(schema.additionalProperties || true)}`;
      return Object.keys(cases(schema) ?? {}).join(" | ") || "object";
    default: return schema.type ?? "any value";
  }
}

/** @type {Record<string, string>} */
const formats = { "date-time": "date and time", uuid: "UUID", uri: "URL", base64: "data" };

/** The number of recursive types inside each other that an example contains. */
const deepest = 3;

/**
 * Returns a value that matches the schema, as a starting point for editing.
 * @param {Schema} schema
 * @param {Definitions} [definitions]
 * @param {number} [depth]
 * @returns {unknown}
 */
export function example(schema, definitions = {}, depth = 0) {
  if (schema === true || schema === undefined) return null;
  const known = { ...definitions, ...schema.$defs };
  const of = (/** @type {Schema} */ part, more = 0) => example(part, known, depth + more);
  if (schema.$ref) return depth < deepest ? of(known[definitionName(schema.$ref)], 1) : null;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return of(schema.anyOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "boolean": return false;
    case "integer":
    case "number": return schema.minimum !== undefined && schema.minimum > 0 ? schema.minimum : 0;
    case "string": return examples[schema.format ?? ""] ?? "";
    case "array": return [];
    case "object": {
      const properties = schema.properties ?? {};
      const wanted = cases(schema) ? Object.keys(properties).slice(0, 1) : schema.required ?? [];
      return Object.fromEntries(wanted.map((name) => [name, of(properties[name])]));
    }
    default: return null;
  }
}

/** @type {Record<string, string>} */
const examples = {
  "date-time": "2026-01-31T12:00:00Z", uuid: "2F1B7A8C-5D34-4E0B-9C61-7A0E4D5B3F28", uri: "https://example.com/",
};
