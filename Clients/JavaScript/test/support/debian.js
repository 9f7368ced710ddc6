import { existsSync } from "node:fs";
import Module, { createRequire, register } from "node:module";

/** Where Debian has the modules of its packages node-react, node-react-dom and node-jsdom. */
const folder = "/usr/share/nodejs/";
// A Node of another origin does not look there.
process.env.NODE_PATH = `${folder}:/usr/lib/nodejs`;
Module._initPaths();
const require = createRequire(import.meta.url);

/** Why a test that needs a module cannot run here, or false. */
export const missing = (name) => !existsSync(folder + name) && `${name} is not installed`;

/** Imports a module of Debian, which is not in the folder of the package. */
export const load = (name) => require(folder + name);

/** Makes a document, with the globals that a page has. */
export function makePage() {
  const { JSDOM } = load("jsdom");
  const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://page.example/", pretendToBeVisual: true });
  for (const name of ["document", "HTMLElement", "CustomEvent", "customElements", "Event"]) globalThis[name] = window[name];
  globalThis.window = window;
  globalThis.navigator ??= window.navigator;
  return window;
}

/** Makes `import "react"` find Debian's. */
export function provideReact() {
  const hook = `export const resolve = (specifier, context, next) => specifier === "react"
    ? { url: "file://${folder}react/index.js", shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
