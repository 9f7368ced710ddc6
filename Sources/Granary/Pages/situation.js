const words = { connecting: "connecting", live: "live", waiting: "reconnecting", failed: "stopped" };

/**
 * Shows how the session of a section fares.
 * @param {HTMLElement} section
 * @param {"connecting" | "live" | "waiting" | "failed"} situation
 * @param {string} [detail] what to tell beside it
 */
export function showSituation(section, situation, detail = "") {
  const badge = section.querySelector("[data-situation]");
  badge.dataset.situation = situation;
  badge.textContent = words[situation];
  section.querySelector("[data-detail]").textContent = detail;
}
