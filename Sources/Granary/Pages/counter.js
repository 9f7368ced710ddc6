import { MachineSession } from "./session.js";
import { showSituation } from "./situation.js";

/**
 * Drives the counter in `section`.
 * @param {HTMLElement} section
 */
export function startCounter(section) {
  const count = section.querySelector("[data-output=count]");
  const decrement = section.querySelector("[data-input=decrement]");
  const increment = section.querySelector("[data-input=increment]");
  const toggle = section.querySelector("[data-input=isOn]");
  const label = section.querySelector("[data-output=toggleText]");

  const session = new MachineSession("counter", {
    changed(outputs) {
      count.textContent = String(outputs.count ?? "–");
      increment.disabled = outputs.isIncrementEnabled !== true;
      decrement.disabled = outputs.isDecrementEnabled !== true;
      toggle.checked = outputs.isIncrementEnabled === true;
      label.textContent = String(outputs.toggleText ?? "");
    },
    situation: (situation, detail) => showSituation(section, situation, detail),
  });

  const send = (input, value) => session.send(input, value).catch((error) => showSituation(section, "failed", error.message));
  increment.addEventListener("click", () => send("increment"));
  decrement.addEventListener("click", () => send("decrement"));
  toggle.addEventListener("change", () => send("isOn", toggle.checked));
  session.open();
}
