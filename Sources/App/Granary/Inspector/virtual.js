import { h } from "/inspector/dom.js";

/** The number of rows beyond each edge that are kept, so that fast scrolling shows no gaps. */
const margin = 6;

/**
 * A list of which only the visible rows exist. All rows have the same height, and rows that leave are used again for those that enter.
 * @template Item
 */
export class VirtualList {
  /** @type {Item[]} */
  #items = [];
  #selected = -1;
  /** The rows by index. @type {Map<number, HTMLElement>} */
  #rows = new Map();
  /** @type {HTMLElement[]} */
  #spare = [];
  #isScheduled = false;

  /**
   * @param {{label: string, height: number, render: (row: HTMLElement, item: Item, index: number) => void, select: (index: number, byKeyboard: boolean) => void}} options
   */
  constructor({ label, height, render, select }) {
    this.height = height;
    this.render = render;
    this.select = select;
    this.filler = h("div.virtual-filler");
    this.node = h("div.virtual", {
      role: "listbox", tabindex: "0", "aria-label": label, onkeydown: (event) => this.#key(event),
      onscroll: () => this.#schedule(),
    }, this.filler);
    this.filler.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("[data-index]");
      if (row) this.select(Number(/** @type {HTMLElement} */ (row).dataset.index), false);
    });
    new ResizeObserver(() => this.#schedule()).observe(this.node);
  }

  /** @param {Item[]} items */
  set items(items) {
    const isAtEnd = this.isAtEnd;
    this.#items = items;
    this.filler.style.height = `${items.length * this.height}px`;
    // A short list is no taller than its rows.
    this.node.style.setProperty("--rows", this.filler.style.height);
    this.refresh();
    if (isAtEnd) this.node.scrollTop = this.node.scrollHeight;
  }

  get isAtEnd() {
    return this.node.scrollTop + this.node.clientHeight >= this.node.scrollHeight - this.height;
  }

  /** Marks a row, and scrolls to it if it is not visible. @param {number} index */
  mark(index) {
    const former = this.#selected;
    this.#selected = index;
    for (const place of [former, index]) {
      const row = this.#rows.get(place);
      if (row) this.#draw(row, place);
    }
    if (index < 0) return this.node.removeAttribute("aria-activedescendant");
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop) this.node.scrollTop = top;
    else if (top + this.height > scrollTop + clientHeight) this.node.scrollTop = top + this.height - clientHeight;
    this.#update();
    const row = this.#rows.get(index);
    if (row) this.node.setAttribute("aria-activedescendant", row.id);
  }

  /** Draws all rows again. */
  refresh() {
    for (const [index, row] of this.#rows) {
      if (index < this.#items.length) this.#draw(row, index);
      else this.#release(index, row);
    }
    this.#update();
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#update();
    });
  }

  #update() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.height) - margin);
    const last = Math.min(this.#items.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.height) + margin);
    for (const [index, row] of this.#rows) if (index < first || index >= last) this.#release(index, row);
    for (let index = first; index < last; index += 1) {
      if (this.#rows.has(index)) continue;
      const row = this.#spare.pop() ?? h("div.virtual-row", { role: "option" });
      this.#rows.set(index, row);
      this.#draw(row, index);
      row.style.transform = `translateY(${index * this.height}px)`;
      if (!row.isConnected) this.filler.append(row);
    }
    for (const row of this.#spare.splice(2 * margin)) row.remove();
  }

  /** @param {number} index @param {HTMLElement} row */
  #release(index, row) {
    this.#rows.delete(index);
    row.style.transform = "translateY(-9999px)";
    row.removeAttribute("id");
    this.#spare.push(row);
  }

  /** @param {HTMLElement} row @param {number} index */
  #draw(row, index) {
    row.id = `row-${index}`;
    row.dataset.index = String(index);
    row.setAttribute("aria-setsize", String(this.#items.length));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-selected", String(index === this.#selected));
    this.render(row, this.#items[index], index);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.height) - 1);
    const last = this.#items.length - 1;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowUp: this.#selected - 1, k: this.#selected - 1, ArrowDown: this.#selected + 1, j: this.#selected + 1,
      PageUp: this.#selected - page, PageDown: this.#selected + page, Home: 0, End: last,
    };
    const target = moves[event.key];
    if (target === undefined || last < 0) return;
    event.preventDefault();
    this.select(Math.min(last, Math.max(0, target)), true);
  }
}
