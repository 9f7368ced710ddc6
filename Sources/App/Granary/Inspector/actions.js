import { address, call, machines, session, text } from "/inspector/client.js";
import { quoted } from "/inspector/commands.js";
import { confirm, open } from "/inspector/dialog.js";
import { fill, h, notify } from "/inspector/dom.js";
import { field } from "/inspector/form.js";
import { plural, short } from "/inspector/text.js";

/**
 * Opens a dialog that sends an input, with a form from its schema.
 * @param {{id: string, machine: string}} target
 * @param {() => void} sent
 */
export async function sendInput(target, sent) {
  const machine = (await machines().catch(() => [])).find(({ name }) => name === target.machine);
  if (!machine) return notify("The server does not describe the machine of the session.", { isError: true });
  open("Send an input", () => {
    const select = /** @type {HTMLSelectElement} */ (h("select", { id: "input-name" }, machine.inputs.map(({ name }) => h("option", name))));
    const body = h("div.nested");
    const outcome = h("p.outcome", { role: "status" });
    const button = h("button.primary", { type: "submit" }, "Send");
    /** @type {import("/inspector/form.js").Field | null} */
    let value = null;
    const choose = () => {
      value = field(machine.inputs[select.selectedIndex]?.schema, "Value");
      fill(body, value ? value.node : h("p.quiet", "This input has no value."));
      fill(outcome);
    };
    select.addEventListener("change", choose);
    choose();
    return h("form.form", {
      onsubmit: async (event) => {
        event.preventDefault();
        const name = select.value;
        try {
          const body = value ? value.value() : undefined;
          const { version, changed } = await call(`/sessions/${target.id}/inputs/${encodeURIComponent(name)}`, { method: "POST", body });
          outcome.className = "outcome";
          fill(outcome, changed.length ? `Version ${version}: ${changed.join(", ")} changed.` : `Version ${version}: nothing changed.`);
          sent();
        } catch (error) {
          outcome.className = "outcome is-error";
          fill(outcome, error.message);
        }
      },
    },
    h("div.field", h("label", { for: "input-name" }, "Input"), select), body,
    h("p.quiet.small", "It runs as a turn without a sender, and clients of the session see what it changes."),
    outcome, h("div.actions", button));
  });
}

/**
 * Creates a session from a version, and shows it.
 * @param {string} id @param {number} version
 */
export async function fork(id, version) {
  try {
    const { id: created } = await call(`/sessions/${id}/forks`, { method: "POST", body: { version } });
    notify(`Forked at version ${version}.`, { action: { label: "Compare", href: `#/compare?left=${id}&right=${created}` } });
    location.hash = `#/sessions/${created}?from=${id}`;
  } catch (error) {
    notify(error.message, { isError: true });
  }
}

/** Runs the recorded turns again. @param {string} id @param {(turn: number) => void} show */
export async function replay(id, show) {
  const outcome = h("div.replay", h("p.quiet", "Running the recorded turns with this build, in a process of its own…"));
  open("Replay", (close) => {
    call(`/sessions/${id}/replay`, { method: "POST", values: true }).then((result) => {
      const begin = result.isWhole ? "from the creation of the session" : "from its last snapshot";
      if (!result.divergence) {
        return fill(outcome, h("p.verdict.is-good", "No divergence"), h("p", `${plural(result.turns, "turn")} replayed ${begin}, each with the same changes, effects and state.`));
      }
      const { turn, difference } = result.divergence;
      fill(outcome, h("p.verdict.is-bad", turn ? `Diverges at turn ${turn}` : "Diverges before the first turn"),
        h("p", `${plural(result.turns, "turn")} before it ${result.turns === 1 ? "is" : "are"} the same.`),
        difference ? h("pre.json", difference) : h("p.quiet", "Reveal values to see how it differs."),
        turn && h("div.actions", h("button.primary", { type: "button", onclick: () => { close(); show(turn - 1); } }, "Show the turn")));
    }).catch((error) => fill(outcome, h("p.verdict.is-bad", "Not possible"), h("p", error.message)));
    return outcome;
  });
}

/** Saves a session as a file. @param {string} id */
export async function exportSession(id) {
  try {
    const content = await text(`/sessions/${id}/export`);
    const url = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    const link = /** @type {HTMLAnchorElement} */ (h("a", { href: url, download: `session-${short(id)}.json` }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    notify("Exported. The file contains what clients have sent.");
  } catch (error) {
    notify(error.message, { isError: true });
  }
}

/** Ends a session after a question. @param {{id: string, machine: string}} target @param {() => void} done */
export async function end(target, done) {
  const isConfirmed = await confirm("End the session?", `Session ${short(target.id)} of ${target.machine} ends for all of its clients. This cannot be undone; export it first if you need it.`, "End the session");
  if (isConfirmed) await act(`/sessions/${target.id}`, "DELETE", "The session has ended.", done);
}

/**
 * Performs something without a result.
 * @param {string} path @param {string} method @param {string} text @param {() => void} done
 */
export async function act(path, method, text, done) {
  try {
    await call(path, { method });
    notify(text);
    done();
  } catch (error) {
    notify(error.message, { isError: true });
  }
}

/**
 * Copies the command that repeats a step: its input, or else the request for its version.
 * @param {string} id @param {import("/inspector/timeline.js").Turn | null} turn @param {number} version
 */
export async function copyAsCurl(id, turn, version) {
  const key = session.key ? [" -H 'Authorization: Bearer KEY'"] : [];
  const trigger = turn?.trigger;
  const command = trigger?.kind === "input"
    ? ["curl -X POST", ...key, session.key ? "" : " -H 'Sec-Fetch-Site: none'", " -H 'Content-Type: application/json'",
      ` -d ${trigger.value === undefined ? (trigger.bytes === 4 ? "null" : "'VALUE'") : quoted(JSON.stringify(trigger.value))}`,
      ` ${quoted(location.origin + address(`/sessions/${id}/inputs/${encodeURIComponent(trigger.name ?? "")}`))}`]
    : ["curl", ...key, ` ${quoted(location.origin + address(`/sessions/${id}/versions/${version}`, { values: session.isRevealed ? "shown" : undefined }))}`];
  try {
    await navigator.clipboard.writeText(command.join(""));
    notify("Copied.");
  } catch {
    open("Copy as curl", () => h("pre.json.selectable", command.join("")));
  }
}
