// Serves the client and a page with a counter, for browser_test.py, which controls it with requests to /control. Prints its address.
import { readFileSync } from "node:fs";

import { FakeServer } from "../support/server.js";

const types = { js: "text/javascript", html: "text/html" };
const server = new FakeServer();
// As many changes as can happen in the two seconds in which another tab takes over.
server.history = 200;
/** When streams were opened. */
const opened = [];
let session;

const controls = {
  /** The streams: how many are open, and when they were opened. */
  streams: () => ({ count: server.streams.size, opened }),
  /** Emits events with the numbers from `from` on, one each 20 ms. */
  ring({ from, count }) {
    let next = Number(from);
    const timer = setInterval(() => {
      server.turn(session(), {}, [{ output: "bell", value: next }]);
      next += 1;
      if (next >= Number(from) + Number(count)) clearInterval(timer);
    }, 20);
    return {};
  },
  session: () => session().outputs,
  runs: () => ({ most: Math.max(0, ...server.runs.values()), count: server.runs.size }),
};
session = () => [...server.sessions.values()].findLast(({ end }) => end === null);

server.intercept = ({ path, query }) => {
  const [, kind, name] = path.split("/");
  if (kind === "control") return { status: 200, body: controls[name](Object.fromEntries(new URLSearchParams(query))) };
  if (kind !== "client") return undefined;
  const folder = name.startsWith("page.") ? "." : "../../src";
  const body = readFileSync(new URL(`${folder}/${name}`, import.meta.url), "utf8");
  return { status: 200, body, headers: { "Content-Type": types[name.split(".").at(-1)] } };
};
await server.start();
// A browser is slower than the fake forgets.
server.server.keepAliveTimeout = 5000;
const { streams } = server;
const { add } = streams;
streams.add = (stream) => {
  opened.push(Date.now());
  return add.call(streams, stream);
};
process.stdout.write(`${server.url}\n`);
