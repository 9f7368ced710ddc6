import { listMachines } from "./machines.js";

/** The machines that the server hosts. Scripts of a program can await them, too. */
export const machines = listMachines(/** @type {HTMLElement} */ (document.querySelector("#machines")));
