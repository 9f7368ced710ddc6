import { startCounter } from "./counter.js";
import { listMachines } from "./machines.js";
import { startSearch } from "./search.js";

const demos = { counter: startCounter, "github-search": startSearch };
const machines = await listMachines(document.querySelector("#machines"));
for (const { name } of machines) {
  const section = document.querySelector(`#${CSS.escape(name)}`);
  if (!section || !(name in demos)) continue;
  section.hidden = false;
  demos[name](section);
}
