import { h } from "/inspector/dom.js";
import { inline } from "/inspector/text.js";

/** The most differences of one value that are shown. */
const most = 60;

/**
 * A difference between two JSON values: the path to a part, and its values before and after. A missing part is undefined.
 * @typedef {{path: string, before: unknown, after: unknown}} Difference
 */

/**
 * Returns the parts by which two JSON values differ, outermost first.
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} [path]
 * @returns {Difference[]}
 */
export function differences(before, after, path = "") {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  return [{ path, before, after }];
}

/** @param {unknown[]} before @param {unknown[]} after @param {string} path */
function listDifferences(before, after, path) {
  // What both begin and end with has stayed; most changes insert, remove or replace a few elements in between.
  let start = 0;
  while (start < before.length && start < after.length && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start
    && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (removed.length === added.length) {
    return removed.flatMap((value, index) => differences(value, added[index], `${path}[${start + index}]`));
  }
  return [
    ...removed.map((value, index) => ({ path: `${path}[${start + index}]`, before: value, after: undefined })),
    ...added.map((value, index) => ({ path: `${path}[${start + index}]`, before: undefined, after: value })),
  ];
}

/** @param {unknown} one @param {unknown} other */
const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Shows how a named value has changed.
 * @param {string} name
 * @param {unknown} before undefined if there was none
 * @param {unknown} after undefined if none exists
 */
export function showDifference(name, before, after) {
  const found = differences(before, after, name);
  return h("ul.diff", found.slice(0, most).map(({ path, before, after }) => h("li",
    h("code.path", path),
    h("span.values", before !== undefined && h("del", inline(before, 240)),
      before !== undefined && after !== undefined && h("span.arrow", { "aria-label": "becomes" }, "→"),
      after !== undefined && h("ins", inline(after, 240))))),
    found.length > most && h("li.quiet", `and ${found.length - most} more`));
}
