import { openConsole } from "./console.js";
import { element } from "./element.js";
import { typeName } from "./schema.js";

/**
 * @typedef {{name: string, schema: import("./schema.js").Schema, kind?: "value" | "event"}} Port
 * @typedef {{name: string, summary: string, inputs: Port[], outputs: Port[]}} Machine
 */

/**
 * Lists the machines that the server hosts.
 * @param {HTMLElement} section
 * @returns {Promise<Machine[]>}
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

/** @param {Machine} machine */
function card(machine) {
  const article = element("article", "machine");
  article.dataset.machine = machine.name;
  const open = element("button", "wide", "Open");
  open.type = "button";
  open.setAttribute("aria-label", `Open ${machine.name}`);
  open.addEventListener("click", () => openConsole(article, open, machine));
  article.append(
    element("h3", "", machine.name), element("p", "", machine.summary), ports("Inputs", machine.inputs),
    ports("Outputs", machine.outputs), open);
  return article;
}

/**
 * @param {string} title
 * @param {Port[]} values
 */
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
