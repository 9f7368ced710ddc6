import { example } from "./schema.js";

/**
 * Returns commands and code that create a session, send an input and follow the outputs.
 * @param {import("./machines.js").Machine} machine
 * @param {{input?: import("./machines.js").Port, value?: unknown, parameters?: unknown}} [step] by default the first input, with an
 *   example of its value
 * @returns {Record<"curl" | "JavaScript" | "Swift", string>}
 */
export function commands(machine, { input = machine.inputs[0], value = input && example(input.schema), parameters = example(machine.parameters) } = {}) {
  const { origin } = location;
  const creation = JSON.stringify({ machine: machine.name, ...(machine.parameters ? { parameters } : {}) });
  const hasValue = typeof input?.schema !== "object" || input.schema.type !== "null";
  const body = hasValue ? ` -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(value))}` : " -X POST";
  const curl = [
    `session=$(curl -sS -o /dev/null -w '%header{location}' ${origin}/v1/sessions -H 'Content-Type: application/json' -d ${quoted(creation)})`,
    // An interactive shell expands "!" in double quotes.
    ...(input ? [`curl -sS "${origin}$session/inputs/${encodeURIComponent(input.name).replaceAll("!", "%21")}"${body}`] : []),
    `curl -sSN ${origin}$session/outputs -H 'Accept: text/event-stream'`,
  ];
  const options = machine.parameters ? `, { parameters: ${JSON.stringify(parameters)} }` : "";
  const script = [
    // In other quotes, the server would replace the path by its fingerprinted name.
    `import { connect } from '/granary.js';`,
    `const session = await connect(${JSON.stringify(machine.name)}${options});`,
    `session.on("change", (changes) => console.log(changes));`,
    ...(input ? [`await session.send(${JSON.stringify(input.name)}${hasValue ? `, ${JSON.stringify(value)}` : ""});`] : []),
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

/** A word in single quotes for a shell. @param {string} text */
export const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
