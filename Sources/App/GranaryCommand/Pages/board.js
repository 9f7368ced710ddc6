import { open } from "./client/granary.js";
import { element, say } from "./element.js";
import { RequestNote } from "./note.js";
import { SessionStatus } from "./status.js";

/** The inputs and outputs that this card requires. @type {import("./shape.js").Shape} */
export const boardShape = {
  inputs: { introduce: "string" },
  outputs: { fields: "array", visitors: "array", visitorCount: "integer" },
};

const colors = ["white", "red", "yellow", "green", "blue"];

/**
 * Shows a board in `section` that all visitors see and paint.
 * @param {HTMLElement} section
 * @param {string} machine
 */
export function startBoard(section, machine) {
  const board = section.querySelector("[data-output=fields]");
  const visitors = section.querySelector("[data-output=visitors]");
  const form = section.querySelector("form");
  const name = section.querySelector("[data-input=introduce]");

  const session = open(machine, { name: "main", queue: 0 });
  const status = new SessionStatus(section, section.querySelector(".badge"), session);
  const note = new RequestNote(board);
  form.after(note.node, ...status.nodes);
  session.on("new-session", () => note.clear());
  session.on("change", (_, outputs) => show(outputs));

  const fields = Array.from({ length: 16 }, (_, index) => {
    const button = element("button", "field");
    button.type = "button";
    button.addEventListener("click", () => {
      const next = colors[(colors.indexOf(button.dataset.color) + 1) % colors.length];
      send("paint", { field: index, color: next });
    });
    mark(button, index, "white");
    return button;
  });
  board.replaceChildren(...fields);

  /** @param {Record<string, unknown>} outputs */
  function show(outputs) {
    (outputs.fields ?? []).forEach((color, index) => fields[index] && mark(fields[index], index, color));
    say(visitors, describe(outputs.visitors ?? [], Number(outputs.visitorCount ?? 0)));
  }

  /**
   * @param {string} input
   * @param {unknown} value
   */
  function send(input, value) {
    status.acknowledge();
    return note.follow(session.send(input, value));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim() !== "") send("introduce", name.value.trim());
  });
}

/**
 * @param {HTMLElement} button
 * @param {number} index
 * @param {string} color
 */
function mark(button, index, color) {
  button.dataset.color = color;
  button.setAttribute("aria-label", `Row ${Math.floor(index / 4) + 1}, column ${index % 4 + 1}: ${color}`);
}

/**
 * @param {string[]} names
 * @param {number} count
 */
function describe(names, count) {
  if (count === 0) return "";
  const shown = names.slice(0, 20);
  const others = count > shown.length ? ` and ${count - shown.length} more` : "";
  return `Here: ${shown.join(", ")}${others}`;
}
