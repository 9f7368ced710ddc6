import { Requests, refusal } from "./client/request.js";
import { element, say } from "./element.js";
import { example, typeName } from "./schema.js";

/**
 * @typedef {import("./machines.js").Machine & {parameters?: import("./schema.js").Schema}} DescribedMachine
 */

const status = /** @type {HTMLElement} */ (document.querySelector("[data-status]"));
const list = /** @type {HTMLElement} */ (document.querySelector("[data-docs]"));
show();

/** Shows the machines that this browser may see. */
async function show() {
  try {
    const reply = await new Requests({ server: "", timeout: 30_000 }).send("/v1/machines");
    if (reply.status !== 200) throw refusal(reply);
    const { machines } = reply.body;
    list.replaceChildren(link("/openapi.json", "The OpenAPI document of the server"), ...machines.map(section));
    say(status, machines.length ? "" : "The server has no machines.");
  } catch (error) {
    say(status, `The machines could not be loaded: ${error.message}`);
  }
}

/** @param {DescribedMachine} machine */
function section(machine) {
  const node = element("section");
  const title = element("h2", "", machine.name);
  title.id = machine.name;
  node.append(title, element("p", "", machine.summary));
  node.append(link(`/v1/machines/${machine.name}/openapi.json`, "The OpenAPI document of this machine"));
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
 * Returns commands and code that create a session, send its first input and follow its outputs.
 * @param {DescribedMachine} machine
 * @returns {Record<string, string>}
 */
function commands(machine) {
  const creation = JSON.stringify({
    machine: machine.name, ...(machine.parameters ? { parameters: example(machine.parameters) } : {}),
  });
  const input = machine.inputs[0];
  const value = JSON.stringify(input ? example(input.schema) : null);
  const path = input ? `/inputs/${encodeURIComponent(input.name)}` : "";
  const type = "Content-Type: application/json";
  const origin = location.origin;
  const curl = [
    `curl ${origin}/v1/sessions -H ${quoted(type)} -d ${quoted(creation)}`,
    ...(input ? [`curl ${origin}/v1/sessions/$ID${path} -H ${quoted(type)} -d ${quoted(value)}`] : []),
    `curl -N ${origin}/v1/sessions/$ID/outputs -H 'Accept: text/event-stream'`,
  ];
  const parameters = machine.parameters ? `, { parameters: ${JSON.stringify(example(machine.parameters))} }` : "";
  const script = [
    // In other quotes, the server would replace the path by its fingerprinted name.
    `import { connect } from '/granary.js';`,
    `const session = await connect(${JSON.stringify(machine.name)}${parameters});`,
    `session.on("change", (changes) => console.log(changes));`,
    ...(input ? [`await session.send(${JSON.stringify(input.name)}, ${value});`] : []),
  ];
  const swift = [
    `var request = URLRequest(url: URL(string: "${origin}/v1/sessions")!)`,
    `request.httpMethod = "POST"`,
    `request.setValue("application/json", forHTTPHeaderField: "Content-Type")`,
    `request.httpBody = Data(#"${creation}"#.utf8)`,
    `let (body, _) = try await URLSession.shared.data(for: request)`,
  ];
  return { curl: curl.join("\n"), JavaScript: script.join("\n"), Swift: swift.join("\n") };
}

/**
 * Quotes a text for a shell.
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
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
