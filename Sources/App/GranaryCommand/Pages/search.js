import { open } from "./client/granary.js";
import { RequestNote } from "./note.js";
import { SessionStatus } from "./status.js";

/** The inputs and outputs that this card requires. @type {import("./shape.js").Shape} */
export const searchShape = {
  inputs: { text: "string", search: "null", nextPage: "null" },
  outputs: { query: "string", repositories: "array", isLoading: "boolean", hasMore: "boolean", totalCount: "integer" },
};

/**
 * Shows and controls a search in `section`. Every keystroke is an input, because the machine debounces them.
 * @param {HTMLElement} section
 * @param {string} machine
 */
export function startSearch(section, machine) {
  const text = section.querySelector("[data-input=text]");
  const list = section.querySelector("[data-output=repositories]");
  const result = section.querySelector("[data-output=status]");
  const more = section.querySelector("[data-input=nextPage]");

  /** Whether the user has changed the field. */
  let isTyped = false;
  const session = open(machine, { name: "main", queue: 0 });
  const status = new SessionStatus(section, section.querySelector(".badge"), session);
  session.on("change", (changes, outputs) => {
    // After a reload, the field is empty, but the session has a search.
    if (!isTyped && text.value === "") text.value = String(outputs.query ?? "");
    section.classList.toggle("is-loading", outputs.isLoading === true);
    if ("repositories" in changes) list.replaceChildren(...(outputs.repositories ?? []).map(row));
    result.textContent = describe(outputs, text.value);
    more.hidden = outputs.hasMore !== true;
    more.disabled = outputs.isLoading === true;
  });
  session.on("new-session", () => {
    searchNote.clear();
    moreNote.clear();
  });

  const searchNote = new RequestNote(text);
  const moreNote = new RequestNote(more);
  text.after(searchNote.node);
  more.after(moreNote.node, ...status.nodes);

  const search = () => {
    isTyped = true;
    status.acknowledge();
    // `send` keeps the order of inputs, so there is no need to await the first one.
    const sent = Promise.all([session.send("text", text.value), session.send("search")]);
    searchNote.follow(sent);
  };
  text.addEventListener("input", search);
  more.addEventListener("click", () => {
    status.acknowledge();
    moreNote.follow(session.send("nextPage"));
  });
  section.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
}

/**
 * @param {Record<string, unknown>} outputs
 * @param {string} query
 */
function describe(outputs, query) {
  if (outputs.isLoading === true) return "Searching…";
  if (outputs.errorMessage) return String(outputs.errorMessage);
  const count = Array.isArray(outputs.repositories) ? outputs.repositories.length : 0;
  const total = Number(outputs.totalCount ?? 0);
  if (total > count && count > 0) return `${count} of ${total.toLocaleString("en")} repositories`;
  if (count > 0) return count === 1 ? "1 repository" : `${count} repositories`;
  if (query === "") return "Type to search GitHub.";
  return outputs.query === query ? "No repositories found." : "";
}

/** @param {{fullName: string, description?: string, stargazersCount: number, htmlUrl: string}} repository */
function row(repository) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.textContent = repository.fullName;
  if (/^https?:\/\//.test(repository.htmlUrl)) link.href = repository.htmlUrl;
  link.rel = "noopener noreferrer";
  const stars = document.createElement("span");
  stars.className = "stars";
  stars.textContent = `★ ${Number(repository.stargazersCount).toLocaleString("en")}`;
  const description = document.createElement("p");
  description.textContent = repository.description ?? "";
  item.append(link, stars, description);
  return item;
}
