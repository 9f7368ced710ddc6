import { Requests, refusal } from "./client/request.js";
import { commands } from "./commands.js";
import { element, say } from "./element.js";
import { typeName } from "./schema.js";

const status = /** @type {HTMLElement} */ (document.querySelector("[data-status]"));
const list = /** @type {HTMLElement} */ (document.querySelector("[data-docs]"));
show();

/** Shows the machines that this browser may see. */
async function show() {
  try {
    const reply = await new Requests({ server: "", timeout: 30_000 }).send("/v1/machines");
    if (reply.status !== 200) throw refusal(reply);
    const { machines } = reply.body;
    list.replaceChildren(...documents("", "the server"), ...machines.map(section));
    say(status, machines.length ? "" : "The server has no machines.");
  } catch (error) {
    say(status, `The machines could not be loaded: ${error.message}`);
  }
}

/** @param {import("./machines.js").Machine} machine */
function section(machine) {
  const node = element("section");
  const title = element("h2", "", machine.name);
  title.id = machine.name;
  node.append(title, element("p", "", machine.summary));
  node.append(...documents(`/v1/machines/${machine.name}`, "this machine"));
  if (machine.parameters) node.append(element("p", "", `Parameters: ${typeName(machine.parameters)}`));
  node.append(element("h3", "", "Inputs"), ports(machine.inputs));
  node.append(element("h3", "", "Outputs"), ports(machine.outputs));
  for (const [name, text] of Object.entries(commands(machine))) {
    node.append(element("h3", "", name), element("pre", "", text));
  }
  return node;
}

/** @param {import("./machines.js").Port[]} ports */
function ports(ports) {
  if (!ports.length) return element("p", "", "None.");
  const node = element("ul");
  for (const port of ports) {
    const item = element("li");
    const kind = port.kind === "event" ? "event, " : "";
    item.append(element("code", "", port.name), ` ${kind}${typeName(port.schema)}`);
    node.append(item);
  }
  return node;
}

/**
 * @param {string} path
 * @param {string} subject
 */
function documents(path, subject) {
  return [
    link(`${path}/openapi.json`, `The OpenAPI document of ${subject}`), link(`${path}/types.d.ts`, `The types of ${subject} in TypeScript`),
    link(`${path}/types.swift`, `The types of ${subject} in Swift`)];
}

/**
 * @param {string} path
 * @param {string} text
 */
function link(path, text) {
  const node = element("p");
  const anchor = element("a", "", text);
  anchor.setAttribute("href", path);
  node.append(anchor);
  return node;
}
