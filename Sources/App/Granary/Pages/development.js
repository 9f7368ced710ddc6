import { element, say } from "./element.js";

/**
 * What `granary dev` is doing.
 * @typedef {{build?: number, state?: "building" | "serving" | "failed", text?: string}} Status
 */

const period = 500;

/** The build that served this page. @type {number | undefined} */
let served;

const panel = element("section", "build card");
panel.hidden = true;
panel.setAttribute("role", "alert");
const title = panel.appendChild(element("h2", "", "The program could not be built"));
const text = panel.appendChild(element("pre"));
title.id = "build-title";
panel.setAttribute("aria-labelledby", title.id);
document.body.prepend(panel);

/** @param {Status} status */
function show(status) {
  served ??= status.build;
  // The sessions continue: the page finds them again.
  if (status.state === "serving" && status.build !== served) return location.reload();
  if (status.state === "building") return;
  say(text, status.text ?? "");
  panel.hidden = status.state !== "failed";
}

async function follow() {
  for (;;) {
    try {
      // Nobody looks at a hidden page. It catches up when it is shown.
      if (!document.hidden) show(await (await fetch("/development.json", { cache: "no-store" })).json());
    } catch {
      // The server is being replaced, or the command has ended.
    }
    await new Promise((resolve) => setTimeout(resolve, period));
  }
}

follow();
