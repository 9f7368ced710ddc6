import { open } from "/client/granary.js";

window.bells = [];
window.statuses = [];
window.counter = open("counter", { name: "main" });
window.counter.on("event", ({ value }) => window.bells.push(value));
window.counter.on("status", ({ status }) => window.statuses.push(status));
