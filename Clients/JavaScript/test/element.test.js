import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { until } from "./support/environment.js";
import { makePage, missing } from "./support/debian.js";
import { FakeServer } from "./support/server.js";

const skip = missing("jsdom");

/** @type {FakeServer} */
let server;
before(async () => {
  if (skip) return;
  server = await new FakeServer().start();
  makePage();
  await import("../src/granary-machine.js");
});
after(() => server?.stop());

function place(content, attributes = "") {
  document.body.innerHTML = `<granary-machine name="counter" server="${server.url}" ${attributes}>${content}</granary-machine>`;
  const element = document.querySelector("granary-machine");
  return { element, find: (selector) => element.querySelector(selector) };
}

const live = (element) => until(() => element.getAttribute("status") === "live", "live");

test("an element shows outputs and sends inputs", { skip }, async () => {
  const { element, find } = place(`<output data-output="count"></output><b data-output="label"></b>
    <button data-input="increment"><i>+</i></button><button id="five" data-input="add" data-value="5">+5</button>
    <input type="number" data-input="add">`);
  await live(element);
  assert.equal(find("output").textContent, "0");
  assert.equal(find("b").textContent, "none");
  find("i").click();
  await until(() => find("output").textContent === "1", "a click");
  find("#five").click();
  await until(() => find("output").textContent === "6", "a value");
  find("input").value = "10";
  find("input").dispatchEvent(new Event("change", { bubbles: true }));
  await until(() => find("output").textContent === "16", "a field");
});

test("a form sends the values of its fields, once", { skip }, async () => {
  const { element, find } = place(`<form data-input="ring"><input name="text"><input name="volume" type="number"><button>Ring</button></form>`);
  await live(element);
  const rung = [];
  element.addEventListener("event", ({ detail }) => rung.push(detail));
  find("[name=text]").value = "hello";
  find("[name=volume]").value = "3";
  find("button").click();
  await until(() => rung.length > 0, "the event");
  assert.deepEqual(rung, [{ output: "bell", value: { text: "hello", volume: 3 } }]);
  assert.equal(find("[name=text]").value, "");
});

test("outputs are shown as text, never as markup", { skip }, async () => {
  const { element, find } = place('<b data-output="label"></b>');
  await live(element);
  server.turn(server.sessions.get(element.machine.id), { label: "<img src=x onerror=alert(1)>" });
  await until(() => find("b").textContent.includes("<img"), "the text");
  assert.equal(find("img"), null);
});

test("a refused input is reported, and the element shows the outputs again", { skip }, async () => {
  const { element, find } = place('<input data-input="refuse" data-output="label">');
  await live(element);
  const failed = new Promise((resolve) => element.addEventListener("failed", ({ detail }) => resolve(detail)));
  find("input").value = "mine";
  find("input").dispatchEvent(new Event("change", { bubbles: true }));
  const { input, error } = await failed;
  assert.equal(input, "refuse");
  assert.equal(error.status, 422);
  assert.equal(find("input").value, "none");
});

test("an element that is removed stops, and continues its session when it returns", { skip }, async () => {
  const { element } = place("", 'session-name="main"');
  await live(element);
  await element.machine.send("increment");
  const { id } = element.machine;
  element.remove();
  await until(() => element.machine === null, "it is removed");
  await until(() => server.streams.size === 0, "the stream is closed");
  document.body.append(element);
  await live(element);
  assert.equal(element.machine.id, id);
  assert.equal(element.machine.outputs.count, 1);
  element.setAttribute("session-name", "other");
  await until(() => element.machine.id !== null && element.machine.id !== id, "another session");
  element.remove();
});

test("an element that is moved continues with its machine", { skip }, async () => {
  const { element } = place("");
  await live(element);
  const { machine } = element;
  const [sessions, requests] = [server.sessions.size, server.requests.length];
  const target = document.body.appendChild(document.createElement("div"));
  target.append(element);
  assert.equal(element.machine, machine);
  element.remove();
  document.body.append(element);
  await machine.send("increment");
  assert.equal(element.machine, machine);
  assert.equal(machine.status.status, "live");
  assert.equal(server.sessions.size, sessions);
  assert.equal(server.requests.length, requests + 1);
  element.remove();
});

test("attributes that change together begin one session", { skip }, async () => {
  const { element } = place("", 'session-name="one"');
  await live(element);
  const old = element.machine;
  const created = () => server.requests.filter(({ path, method }) => path === "/v1/sessions" && method === "POST").length;
  const before = created();
  element.setAttribute("session-name", "two");
  element.setAttribute("session-name", "three");
  element.setAttribute("parameters", "null");
  await until(() => element.machine !== old && element.getAttribute("status") === "live", "another session");
  assert.equal(created(), before + 1);
  assert.ok(old.isEnded);
  element.remove();
});

test("an element has the options of its machine as attributes and as a property", { skip }, async () => {
  const requests = [];
  const options = { fetch: (url, request) => {
    requests.push([String(url), request.credentials, request.headers.Authorization]);
    return fetch(url, request);
  }, token: "ada", server: "http://unused.invalid" };
  const session = server.make();
  const element = document.createElement("granary-machine");
  for (const [name, value] of Object.entries({ name: "counter", server: server.url, credentials: "include", session: session.id })) {
    element.setAttribute(name, value);
  }
  element.options = options;
  document.body.replaceChildren(element);
  await live(element);
  assert.equal(element.machine.id, session.id);
  assert.ok(requests.every(([url, credentials, field]) =>
    url.startsWith(server.url) && credentials === "include" && field === "Bearer ada"));
  const { machine } = element;
  element.options = { ...options, token: "bob" };
  await until(() => requests.at(-1)[2] === "Bearer bob" && element.getAttribute("status") === "live", "the other options");
  assert.ok(machine.isEnded && !element.machine.isEnded);
  element.remove();
});

test("an element follows a session with a ticket", { skip }, async () => {
  const session = server.make("somebody");
  server.tickets.set("invitation", { session, uses: 1, redeemed: new Map() });
  const { element } = place("", `session="${session.id}" ticket="invitation"`);
  await live(element);
  assert.ok(element.machine.isGuest);
  element.remove();
});
