import { boardShape, startBoard } from "./board.js";
import { counterShape, startCounter } from "./counter.js";
import { machines } from "./main.js";
import { searchShape, startSearch } from "./search.js";
import { fits } from "./shape.js";
import { startTicTacToe, ticTacToeShape } from "./tictactoe.js";

const demos = [
  { section: document.querySelector("#counter"), shape: counterShape, start: startCounter },
  { section: document.querySelector("#github-search"), shape: searchShape, start: startSearch },
  { section: document.querySelector("#tic-tac-toe"), shape: ticTacToeShape, start: startTicTacToe },
  { section: document.querySelector("#board"), shape: boardShape, start: startBoard },
];
for (const { section, shape, start } of demos) {
  const machine = (await machines).find((candidate) => fits(candidate, shape));
  if (machine === undefined) continue;
  section.hidden = false;
  start(section, machine.name);
}
if (demos.some(({ section }) => !section.hidden)) {
  const skip = document.querySelector(".skip");
  skip.textContent = "Skip to the demos";
  skip.setAttribute("href", "#demos");
}
