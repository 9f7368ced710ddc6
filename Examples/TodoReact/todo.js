import { createElement as h, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

import { useMachine } from "../../Clients/JavaScript/src/react.js";

// The server; `credentials` sends its cookie, which makes the list that of this browser.
const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080";

function TodoList() {
  const { outputs, status, send, machine } = useMachine("composable-todos", { server, name: "todos", credentials: "include" });
  const { todos = [], filter = "all", isClearCompletedEnabled = false } = outputs;
  const [problem, setProblem] = useState("");
  const [invitation, setInvitation] = useState("");
  useEffect(() => machine?.on("new-session", ({ reason }) => setProblem(`This is a new list (${reason}).`)), [machine]);

  /** Runs an action, and shows the reason if it fails. */
  const attempt = (action) => async () => {
    setProblem("");
    try {
      await action();
    } catch (error) {
      setProblem(error.message);
    }
  };
  /** Sends an input. While there is no connection, it waits; what is predicted is shown immediately. */
  const sending = (input, value, optimistic) => attempt(() => send(input, value, { optimistic }));
  const invite = attempt(async () => setInvitation(`${server}/#${new URLSearchParams(await machine.invite())}`));

  return [
    h("h1", { key: "title" }, "To-do list with React"),
    h("p", { key: "status", id: "status", role: "status" }, status),
    h("p", { key: "controls" },
      h("button", { type: "button", id: "add", onClick: sending("addTodoButtonTapped") }, "Add"), " ",
      h("select", {
        id: "filter", "aria-label": "Filter", value: filter, onChange: ({ target }) => sending("filterPicked", target.value)(),
      }, ["all", "active", "completed"].map((name) => h("option", { key: name }, name))), " ",
      h("button", {
        type: "button", id: "clear", disabled: !isClearCompletedEnabled, onClick: sending("clearCompletedButtonTapped"),
      }, "Clear completed"), " ",
      h("button", { type: "button", id: "invite", disabled: machine === null, onClick: invite }, "Invite"), " ",
      h("output", { id: "invitation" }, invitation)),
    h("ul", { key: "todos", id: "todos" }, todos.map((todo) => h(Row, { key: todo.id, todo, sending }))),
    h("p", { key: "problem", id: "problem", role: "alert" }, problem),
  ];
}

/** An item. What is typed is predicted, because React shows in a field nothing but its value. */
function Row({ todo, sending }) {
  const { id, description, isComplete } = todo;
  const predict = (changes) => ({ todos: (all) => all.map((each) => each.id === id ? { ...each, ...changes } : each) });
  const check = ({ target }) => sending("todo.checkBoxToggled", { id }, predict({ isComplete: target.checked }))();
  const write = ({ target }) =>
    sending("todo.textFieldChanged", { id, value: target.value }, predict({ description: target.value }))();
  const remove = sending("delete", id, { todos: (all) => all.filter((each) => each.id !== id) });
  return h("li", null,
    h("input", { type: "checkbox", "aria-label": "Completed", checked: isComplete, onChange: check }),
    h("input", { "aria-label": "Description", value: description, onChange: write }),
    h("button", { type: "button", onClick: remove }, "Delete"));
}

createRoot(document.body.appendChild(document.createElement("main"))).render(h(TodoList));
