import type { Machine } from "./granary.js";

/** `<granary-machine name="counter">`: shows outputs and sends inputs of the elements in it. */
export class GranaryMachineElement extends HTMLElement {
  /** The machine; null after the element was removed from its document. */
  readonly machine: Machine | null;
}

declare global {
  interface HTMLElementTagNameMap {
    "granary-machine": GranaryMachineElement;
  }
}
