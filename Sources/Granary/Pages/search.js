import { MachineSession } from "./session.js";
import { showSituation } from "./situation.js";

/**
 * Drives the search in `section`. Every keystroke is an input: how long to wait for the next one is the machine's
 * business.
 * @param {HTMLElement} section
 */
export function startSearch(section) {
  const text = section.querySelector("[data-input=text]");
  const list = section.querySelector("[data-output=repositories]");
  const status = section.querySelector("[data-output=status]");
  const more = section.querySelector("[data-input=nextPage]");

  const session = new MachineSession("github-search", {
    changed(outputs, changes) {
      section.classList.toggle("is-loading", outputs.isLoading === true);
      if ("repositories" in changes) list.replaceChildren(...(outputs.repositories ?? []).map(row));
      status.textContent = describe(outputs, text.value);
      more.hidden = outputs.hasMore !== true;
      more.disabled = outputs.isLoading === true;
    },
    situation(situation, detail) {
      showSituation(section, situation, detail);
    },
  });

  const send = async () => {
    try {
      await session.send("text", text.value);
      await session.send("search");
    } catch (error) {
      showSituation(section, "failed", error.message);
    }
  };
  text.addEventListener("input", send);
  more.addEventListener("click", () => session.send("nextPage").catch((error) => showSituation(section, "failed", error.message)));
  section.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  session.open();
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
  if (query === "") return "Type a word to search GitHub.";
  return outputs.query === query ? "Nothing found." : "";
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
