import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { patient, until } from "./support/environment.js";
import { load, makePage, missing, provideReact } from "./support/debian.js";
import { FakeServer } from "./support/server.js";

const skip = missing("react") || missing("react-dom") || missing("jsdom");

/** @type {FakeServer} */
let server;
let React, createRoot, useMachine;

before(async () => {
  if (skip) return;
  server = await new FakeServer().start();
  makePage();
  provideReact();
  React = load("react");
  ({ createRoot } = load("react-dom/client"));
  ({ useMachine } = await import("../src/react.js"));
});
after(() => server?.stop());

/** Renders a counter, and returns its button and a function that renders it again. */
function render(isStrict, options) {
  const node = document.body.appendChild(document.createElement("div"));
  const root = createRoot(node);
  const Counter = (own) => {
    const { outputs, status, send } = useMachine("counter", {
      server: server.url, timeout: patient, shared: false, token: () => "token", ...own,
    });
    return React.createElement("button", { onClick: () => send("increment") }, `${status} ${outputs.count ?? "-"}`);
  };
  const show = (own) => {
    const counter = React.createElement(Counter, own);
    root.render(isStrict ? React.createElement(React.StrictMode, null, counter) : counter);
  };
  show(options);
  return { node, root, show };
}

for (const isStrict of [false, true]) {
  test(`a component shows outputs and sends inputs${isStrict ? ", also in strict mode" : ""}`, { skip }, async () => {
    const { node, root, show } = render(isStrict, { name: `react-${isStrict}` });
    await until(() => node.textContent === "live 0", "the session is live");
    for (const count of [1, 2]) {
      node.querySelector("button").click();
      await until(() => node.textContent === `live ${count}`, "the change");
    }
    // The token is another function each time.
    const { size } = server.streams;
    show({ name: `react-${isStrict}` });
    await until(() => node.textContent === "live 2", "it continues");
    assert.equal(server.streams.size, size);
    show({ name: "other" });
    await until(() => node.textContent === "live 0", "another session");
    root.unmount();
    await until(() => server.streams.size === 0, "the stream is closed");
  });
}

test("a component that was unmounted cannot send", { skip }, async () => {
  let send;
  const node = document.createElement("div");
  const root = createRoot(node);
  const Sender = () => {
    ({ send } = useMachine("counter", { server: server.url, shared: false }));
    return null;
  };
  root.render(React.createElement(Sender));
  await until(() => send !== undefined, "it is mounted");
  root.unmount();
  await until(() => server.streams.size === 0, "no stream");
  await assert.rejects(send("increment"), { code: "closed" });
});

test("a component uses its latest token function", { skip }, async () => {
  const { node, root, show } = render(false, { name: "token", token: () => "first" });
  await until(() => node.textContent === "live 0", "the session is live");
  const { size } = server.sessions;
  show({ name: "token", token: () => "second" });
  server.authenticate = (field) => field === "Bearer second" ? "anybody" : null;
  node.querySelector("button").click();
  await until(() => node.textContent === "live 1", "the change");
  assert.equal(server.sessions.size, size);
  server.authenticate = () => "anybody";
  root.unmount();
  await until(() => server.streams.size === 0, "the stream is closed");
});

test("a component that gets a token begins again with it, and its latest fetch is used", { skip }, async () => {
  let sent = 0;
  const { node, root, show } = render(false, { name: "login", token: undefined, fetch: (...request) => fetch(...request) });
  await until(() => node.textContent === "live 0", "the session is live");
  server.authenticate = (field) => field === "Bearer token" ? "anybody" : null;
  const counted = (...request) => {
    sent += 1;
    return fetch(...request);
  };
  show({ name: "login", token: () => "token", fetch: counted });
  await until(() => [...server.streams].some(({ headers }) => headers.authorization === "Bearer token"), "another stream");
  await until(() => node.textContent === "live 0", "the session is live");
  const before = sent;
  assert.ok(before > 0);
  node.querySelector("button").click();
  await until(() => node.textContent === "live 1", "the change");
  assert.ok(sent > before);
  server.authenticate = () => "anybody";
  root.unmount();
  await until(() => server.streams.size === 0, "the stream is closed");
});
