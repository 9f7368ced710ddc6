import assert from "node:assert/strict";
import { test } from "node:test";

import { patient, until } from "./support/environment.js";
import { FakeLocks, provideChannels } from "./support/locks.js";
import { closing, live, server } from "./support/machines.js";

/** The number of workers that were started, and what the next one does. */
let workers = 0;
let start = () => {};

FakeLocks.provide();
provideChannels();
globalThis.SharedWorker = class {
  port = { postMessage() {}, onmessage: null };
  constructor() {
    workers += 1;
    start();
  }
  addEventListener() {}
};
const { open } = await import("../src/granary.js");

const machine = (options = {}) =>
  closing(open("counter", { server: server.url, timeout: patient, shared: true, token: "token", ...options }));

test("a replacement for fetch also opens the stream, also if tabs share streams", async () => {
  const paths = [];
  const counter = machine({ fetch: (url, options) => {
    paths.push(new URL(url).pathname);
    return fetch(url, options);
  } });
  await live(counter);
  assert.ok(paths.includes("/v1/outputs"));
  assert.equal(workers, 0);
});

test("a page whose browser does not start the shared worker follows its sessions without it", async () => {
  start = () => { throw new DOMException("", "SecurityError"); };
  const [first, second] = [machine(), machine()];
  await live(first, second);
  assert.equal(workers, 1);
  assert.equal(server.streams.size, 1);
  const third = machine();
  await live(third);
  assert.equal(workers, 1);
  await third.send("increment");
  assert.equal(third.outputs.count, 1);
});

test("a page that cannot elect a leader follows its sessions itself", async (context) => {
  const { BroadcastChannel } = globalThis;
  context.after(() => (globalThis.BroadcastChannel = BroadcastChannel));
  globalThis.BroadcastChannel = class {
    constructor() {
      throw new DOMException("", "SecurityError");
    }
  };
  await live(machine());
  assert.equal(server.streams.size, 1);
});
