/**
 * Lists the machines that the server hosts.
 * @param {HTMLElement} section
 */
export async function listMachines(section) {
  const list = section.querySelector("[data-machines]");
  try {
    const answer = await fetch("/v1/machines");
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const { machines } = await answer.json();
    list.replaceChildren(...machines.map(card));
    return machines;
  } catch {
    list.textContent = "The list could not be loaded. Reload the page to try again.";
    return [];
  }
}

function card(machine) {
  const article = element("article", "machine");
  article.append(
    element("h3", "", machine.name), element("p", "", machine.summary), ports("Inputs", machine.inputs),
    ports("Outputs", machine.outputs));
  return article;
}

function ports(title, values) {
  const block = element("div", "ports");
  const list = element("ul");
  for (const { name, schema } of values) {
    const item = element("li");
    item.append(element("code", "", name), element("span", "type", typeName(schema)));
    list.append(item);
  }
  block.append(element("h4", "", title), list);
  return block;
}

/** A few words for a JSON Schema. */
function typeName(schema) {
  if (schema === true || schema === undefined) return "any value";
  if (schema.type === "null") return "no value";
  if (Array.isArray(schema.type)) return schema.type.filter((name) => name !== "null").join(" or ") + ", or null";
  if (schema.type === "array") return `list of ${typeName(schema.items)}`;
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ").replace("no value", "null");
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.join(" | ");
  return schema.type ?? "any value";
}

function element(name, className = "", text = "") {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text) node.textContent = text;
  return node;
}
