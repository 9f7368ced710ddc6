import type { Machine } from "./granary.js";

/** `<granary-machine name="counter">`: shows outputs and sends inputs of the elements in it. */
export class GranaryMachineElement extends HTMLElement {
  /** The machine; null while the element is not in a document. */
  readonly machine: Machine | null;
}

declare global {
  interface HTMLElementTagNameMap {
    "granary-machine": GranaryMachineElement;
  }
}
