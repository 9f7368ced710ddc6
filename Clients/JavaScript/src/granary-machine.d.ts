import type { Machine, Options } from "./granary.js";

/** `<granary-machine name="counter">`: shows outputs and sends inputs of the elements in it. */
export class GranaryMachineElement extends HTMLElement {
  /** The machine; null after the element was removed from its document. */
  readonly machine: Machine | null;
  /** Further options of the machine, such as `token`. Others open it again. */
  options: Options;
}

declare global {
  interface HTMLElementTagNameMap {
    "granary-machine": GranaryMachineElement;
  }
}
