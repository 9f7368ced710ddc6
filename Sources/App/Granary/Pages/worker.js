import { StreamHub } from "./hub.js";
import { presence, whenGone } from "./presence.js";

/** The shared worker that follows the sessions of all tabs, so that they share one connection. */
const hub = new StreamHub();

self.addEventListener("connect", ({ ports: [tab] }) => {
  const gone = new AbortController();
  tab.onmessage = ({ data, ports: [port] }) => {
    if (port === undefined) whenGone(data, () => gone.abort());
    else hub.follow(data, port, gone.signal);
  };
  presence.then((name) => tab.postMessage(name));
});
