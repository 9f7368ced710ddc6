/**
 * The supported part of JSON Schema (2020-12).
 * @typedef {true | undefined | {
 *   type?: string | string[], items?: Schema, anyOf?: Schema[], enum?: unknown[], $ref?: string,
 *   properties?: Record<string, Schema>, required?: string[], minimum?: number, maximum?: number,
 * }} Schema
 */

/**
 * Describes a JSON Schema in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeName(schema) {
  if (schema === true || schema === undefined) return "any value";
  if (schema.type === "null") return "no value";
  if (Array.isArray(schema.type)) return schema.type.filter((name) => name !== "null").join(" or ") + ", or null";
  if (schema.type === "array") return `list of ${typeName(schema.items)}`;
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ").replace("no value", "null");
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "any value";
  if (schema.enum) return schema.enum.join(" | ");
  return typeof schema.type === "string" ? schema.type : "any value";
}

/**
 * Returns a value that matches the schema, as a starting point for editing.
 * @param {Schema} schema
 * @returns {unknown}
 */
export function example(schema) {
  if (schema === true || schema === undefined) return null;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return example(schema.anyOf[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "boolean": return false;
    case "integer":
    case "number": return schema.minimum !== undefined && schema.minimum > 0 ? schema.minimum : 0;
    case "string": return "";
    case "array": return [];
    case "object": {
      const properties = schema.properties ?? {};
      const wanted = schema.required ?? Object.keys(properties);
      return Object.fromEntries(wanted.map((name) => [name, example(properties[name])]));
    }
    default: return null;
  }
}
