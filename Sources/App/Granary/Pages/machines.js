import { Requests, refusal } from "./client/request.js";
import { whenLate } from "./client/situation.js";
import { openConsole } from "./console.js";
import { element, say } from "./element.js";
import { typeName } from "./schema.js";

/**
 * @typedef {{name: string, schema: import("./schema.js").Schema, kind?: "value" | "event"}} Port
 * @typedef {{name: string, summary: string, inputs: Port[], outputs: Port[]}} Machine
 */

/**
 * Shows the machines that the server hosts, and retries until the server responds.
 * @param {HTMLElement} section
 * @returns {Promise<Machine[]>}
 */
export async function listMachines(section) {
  const list = section.querySelector("[data-machines]");
  const status = section.querySelector("[data-status]");
  const requests = new Requests({ server: "", timeout: 30_000 });
  for (let attempts = 0; ; attempts += 1) {
    try {
      const reply = await whenLate(requests.send("/v1/machines"), { begin: () => say(status, "Waiting for the server…") });
      if (reply.status !== 200) throw refusal(reply);
      const { machines } = reply.body;
      say(status, "");
      list.replaceChildren(...machines.map(card));
      return machines;
    } catch (error) {
      const seconds = Math.min(15, 2 ** attempts);
      say(status, `The list of machines could not be loaded: ${error.message} Retrying in ${seconds} s.`);
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    }
  }
}

/** @param {Machine} machine */
function card(machine) {
  const article = element("article", "machine");
  article.dataset.machine = machine.name;
  const open = element("button", "wide", "Open");
  open.type = "button";
  open.setAttribute("aria-label", `Open ${machine.name}`);
  open.setAttribute("aria-expanded", "false");
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
