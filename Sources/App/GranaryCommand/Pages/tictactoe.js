import { open } from "./client/granary.js";
import { element, say } from "./element.js";
import { invitation, link } from "./link.js";
import { RequestNote } from "./note.js";
import { SessionStatus } from "./status.js";

/** The inputs and outputs that this card requires. @type {import("./shape.js").Shape} */
export const ticTacToeShape = {
  inputs: { startNewGame: "null", join: "null" },
  outputs: { board: "array", isGameEnded: "boolean", isShared: "boolean" },
};

/**
 * Shows a game of tic-tac-toe in `section`, for two players in one browser or, after an invitation, in two.
 * @param {HTMLElement} section
 * @param {string} machine
 */
export function startTicTacToe(section, machine) {
  const board = section.querySelector("[data-output=board]");
  const result = section.querySelector("[data-output=status]");
  const restart = section.querySelector("[data-input=startNewGame]");
  const invite = section.querySelector("[data-action=invite]");
  const shared = section.querySelector("[data-invitation]");
  const address = shared.querySelector("input");

  /** Whether this guest has joined the game. */
  let hasJoined = false;
  const { session: id, ticket } = invitation(machine) ?? {};
  const session = open(machine, { name: "main", queue: 0, session: id, ticket });
  const status = new SessionStatus(section, section.querySelector(".badge"), session);
  session.on("change", (_, outputs) => show(outputs));
  session.on("new-session", () => {
    note.clear();
    shared.hidden = true;
  });

  const note = new RequestNote(board);
  shared.after(note.node, ...status.nodes);
  const fields = Array.from({ length: 9 }, (_, id) => field(id, () => send("handleAddress", { id })));
  board.replaceChildren(...fields);

  /** @param {Record<string, unknown>} outputs */
  function show(outputs) {
    for (const { id, player } of (outputs.board ?? []).flat()) mark(fields[id], id, player ?? "");
    say(result, describe(outputs, session.isGuest));
    // Only its owner can share a session.
    invite.hidden = session.isGuest;
    if (outputs.isShared === true) shared.hidden = true;
    if (session.isGuest && outputs.isShared === false) join();
  }

  async function join() {
    if (hasJoined) return;
    hasJoined = true;
    hasJoined = await note.follow(session.send("join"));
  }

  /**
   * @param {string} input
   * @param {unknown} [value]
   */
  function send(input, value) {
    status.acknowledge();
    return note.follow(session.send(input, value));
  }

  restart.addEventListener("click", () => send("startNewGame"));
  invite.addEventListener("click", () => note.follow(session.invite().then((invited) => {
    address.value = link(invited);
    shared.hidden = false;
    address.focus();
    address.select();
  })));
}

/**
 * @param {number} id
 * @param {() => void} play
 */
function field(id, play) {
  const button = element("button", "field");
  button.type = "button";
  button.addEventListener("click", play);
  mark(button, id, "");
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {number} id
 * @param {string} player
 */
function mark(button, id, player) {
  say(button, player.toUpperCase());
  button.setAttribute("aria-label", `Row ${Math.floor(id / 3) + 1}, column ${id % 3 + 1}: ${player.toUpperCase() || "free"}`);
}

/**
 * @param {Record<string, unknown>} outputs
 * @param {boolean} isGuest
 */
function describe({ winner, currentPlayer, isGameEnded, isShared }, isGuest) {
  const own = isShared === true ? (isGuest ? "o" : "x") : "";
  const who = own === "" ? "" : `You are player ${own.toUpperCase()}. `;
  if (winner) return `${who}${winner === own ? "You have won." : `Player ${String(winner).toUpperCase()} has won.`}`;
  if (isGameEnded === true) return `${who}Nobody has won.`;
  const player = String(currentPlayer ?? "");
  return `${who}${player === own ? "It is your turn." : `It is the turn of player ${player.toUpperCase()}.`}`;
}
