import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

import { open } from "./granary.js";
import { GranaryError } from "./request.js";

/** The outputs of a machine that is not there yet. */
const none = Object.freeze({});

/**
 * Follows a machine as long as the component is mounted. Another name or other options begin another session; functions among
 * the options may differ each time.
 * @param {string} name
 * @param {Record<string, any>} [options]
 */
export function useMachine(name, options = {}) {
  const latest = useRef(options);
  latest.current = options;
  /** @type {[import("./machine.js").Machine | null, (machine: import("./machine.js").Machine | null) => void]} */
  const [machine, setMachine] = useState(null);
  const current = useRef(machine);
  useEffect(() => {
    const { token, fetch } = latest.current;
    const opened = open(name, {
      ...latest.current,
      token: typeof token === "function" ? () => latest.current.token() : token,
      fetch: fetch && ((...request) => latest.current.fetch(...request)),
    });
    current.current = opened;
    setMachine(opened);
    return () => {
      current.current = null;
      setMachine(null);
      opened.close();
    };
    // Functions have no text, so a component may create them each time. The latest ones are called.
  }, [name, JSON.stringify(options), typeof options.token, typeof options.fetch]);

  const subscribe = useCallback((update) => {
    const stops = ["change", "status"].map((event) => machine?.on(event, update));
    return () => stops.forEach((stop) => stop?.());
  }, [machine]);
  const outputs = useSyncExternalStore(subscribe, () => machine?.outputs ?? none, () => none);
  const status = useSyncExternalStore(subscribe, () => machine?.status.status ?? "connecting", () => "connecting");
  const send = useCallback(async (input, value, sending) => {
    if (current.current === null) throw new GranaryError("closed", "The component is not mounted.");
    return current.current.send(input, value, sending);
  }, []);
  return { outputs, status, send, machine };
}
