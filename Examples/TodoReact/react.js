// React 18 comes as scripts that set globals. This is the module that the import map has for its names.
export const { createElement, useCallback, useEffect, useRef, useState, useSyncExternalStore } = globalThis.React;
export const { createRoot } = globalThis.ReactDOM;
