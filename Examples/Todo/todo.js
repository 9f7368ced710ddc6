import { open } from "../../Clients/JavaScript/src/granary.js";

// The server; `credentials` sends its cookie, which makes the list that of this browser.
const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080";
const list = open("composable-todos", { server, name: "todos", credentials: "include" });

const [status, problem, todos, filter, clear, invitation] = ["status", "problem", "todos", "filter", "clear", "invitation"]
  .map((id) => document.getElementById(id));

list.on("status", ({ status: name }) => (status.textContent = name));
list.on("new-session", ({ reason }) => (problem.textContent = `This is a new list (${reason}).`));
list.on("change", (_, outputs) => show(outputs));

document.getElementById("add").addEventListener("click", () => send("addTodoButtonTapped"));
clear.addEventListener("click", () => send("clearCompletedButtonTapped"));
filter.addEventListener("change", () => send("filterPicked", filter.value));
document.getElementById("invite").addEventListener("click", () => attempt(async () => {
  invitation.value = `${server}/#${new URLSearchParams(await list.invite())}`;
}));

/** Sends an input. While there is no connection, it waits; what is predicted is shown immediately. */
function send(input, value, optimistic) {
  return attempt(() => list.send(input, value, { optimistic }));
}

/** Runs an action, and shows the reason if it fails. */
async function attempt(action) {
  problem.textContent = "";
  try {
    await action();
  } catch (error) {
    problem.textContent = error.message;
  }
}

/** Shows the list. Rows that stay are not moved, and one that is moved gets the cursor back, so that somebody can type meanwhile. */
function show(outputs) {
  clear.disabled = !outputs.isClearCompletedEnabled;
  filter.value = outputs.filter;
  const { activeElement } = document;
  const known = new Map([...todos.children].map((row) => [row.dataset.id, row]));
  const rows = outputs.todos.map((todo) => update(known.get(todo.id) ?? makeRow(todo.id), todo));
  for (const row of known.values()) if (!rows.includes(row)) row.remove();
  rows.forEach((row, index) => row === todos.children[index] || todos.insertBefore(row, todos.children[index] ?? null));
  if (activeElement !== document.activeElement) activeElement.focus();
}

function update(row, { description, isComplete }) {
  const [check, text] = row.querySelectorAll("input");
  check.checked = isComplete;
  if (text !== document.activeElement) text.value = description;
  return row;
}

function makeRow(id) {
  const row = document.createElement("li");
  row.dataset.id = id;
  const check = Object.assign(document.createElement("input"), { type: "checkbox" });
  check.setAttribute("aria-label", "Completed");
  const text = document.createElement("input");
  text.setAttribute("aria-label", "Description");
  const remove = Object.assign(document.createElement("button"), { type: "button", textContent: "Delete" });
  check.addEventListener("change", () => send("todo.checkBoxToggled", { id }, {
    todos: (all) => all.map((todo) => todo.id === id ? { ...todo, isComplete: check.checked } : todo),
  }));
  text.addEventListener("input", () => send("todo.textFieldChanged", { id, value: text.value }));
  remove.addEventListener("click", () => send("delete", id, { todos: (all) => all.filter((todo) => todo.id !== id) }));
  row.append(check, text, remove);
  return row;
}
