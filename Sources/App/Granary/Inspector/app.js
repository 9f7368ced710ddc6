import { browse } from "/inspector/browse.js";
import { session, useKey } from "/inspector/client.js";
import { compare } from "/inspector/compare.js";
import { fill, h } from "/inspector/dom.js";
import { inspect } from "/inspector/inspect.js";
import { disclosure } from "/inspector/moment.js";
import { showServer } from "/inspector/serverview.js";

const main = /** @type {HTMLElement} */ (document.querySelector("#main"));
const link = /** @type {HTMLElement} */ (document.querySelector("#link"));
const values = /** @type {HTMLButtonElement} */ (document.querySelector("#values"));
/** Ends what is shown. @type {(() => void) & {reveal?: () => void}} */
let leave = () => {};

/** @type {Record<string, string>} */
const situations = { live: "Live", lost: "Not reachable", locked: "Locked", connecting: "Connecting" };

session.linked = (state) => {
  if (link.dataset.state !== state) {
    link.dataset.state = state;
    link.textContent = situations[state];
  }
  if (state === "locked" && !document.querySelector("#key-form")) setTimeout(askForKey);
};

/** Shows what the address names. */
function route() {
  leave();
  const [path, search = ""] = location.hash.slice(1).split("?");
  const query = new URLSearchParams(search);
  const [, section = "sessions", id] = path.split("/");
  for (const node of document.querySelectorAll("[data-section]")) {
    if (/** @type {HTMLElement} */ (node).dataset.section === (section === "server" ? "server" : "sessions")) node.setAttribute("aria-current", "page");
    else node.removeAttribute("aria-current");
  }
  document.title = "Inspector – Granary";
  main.className = section === "sessions" && id ? "is-session" : "";
  if (section === "server") leave = showServer(main);
  else if (section === "compare") leave = compare(main, query);
  else if (id) leave = inspect(main, id, query);
  else leave = browse(main, query);
}

/** Asks for the key of an operator, where the listener requires one. */
function askForKey() {
  leave();
  leave = () => {};
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "password", id: "key", autocomplete: "off", required: true }));
  fill(main, h("form.card.key-form", {
    id: "key-form",
    onsubmit: (event) => {
      event.preventDefault();
      useKey(input.value.trim());
      route();
    },
  },
  h("h1", "This listener is for operators"),
  h("p.quiet", "Other machines can reach it, so it requires the API key or the token of an operator (access.operators)."),
  h("div.field", h("label", { for: "key" }, "API key or token"), input),
  session.key && h("p.outcome.is-error", "The server does not accept the key."),
  h("p.quiet.small", "It is kept until this tab is closed."),
  h("div.actions", h("button.primary", { type: "submit" }, "Continue"))));
  input.focus();
}

values.addEventListener("click", () => {
  session.isRevealed = !session.isRevealed;
  values.setAttribute("aria-pressed", String(session.isRevealed));
  values.textContent = disclosure();
  if (leave.reveal) leave.reveal();
  else route();
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  if (event.key === "r") return values.click();
  if (event.key !== "/") return;
  event.preventDefault();
  const search = document.querySelector("input.search");
  if (search) /** @type {HTMLElement} */ (search).focus();
  else location.hash = "#/sessions";
});

window.addEventListener("hashchange", route);
route();
