import { StreamHub } from "./hub.js";

/** The shared worker that follows the sessions of all tabs, so that they share one connection. */
const hub = new StreamHub();

self.addEventListener("connect", ({ ports: [tab] }) => {
  tab.onmessage = ({ data, ports: [port] }) => hub.follow(data, port);
});
