/** Reads an event stream (WHATWG HTML, section 9.2.6) from pieces of text. */
export class EventParser {
  /** The pieces of an incomplete line. @type {string[]} */
  #line = [];
  #endsWithReturn = false;
  #name = "";
  /** @type {string[]} */
  #data = [];

  /** @param {(name: string, data: string) => void} dispatch called with each complete event */
  constructor(dispatch) {
    this.dispatch = dispatch;
    /** The time in milliseconds that the server asks to wait before the next connection. @type {number | undefined} */
    this.retry = undefined;
  }

  /** @param {string} text */
  push(text) {
    if (text === "") return;
    const lines = (this.#endsWithReturn && text[0] === "\n" ? text.slice(1) : text).split(/\r\n|\n|\r/);
    this.#endsWithReturn = text.endsWith("\r");
    this.#line.push(lines[0]);
    for (const next of lines.slice(1)) {
      this.#read(this.#line.join(""));
      this.#line = [next];
    }
  }

  /** @param {string} line */
  #read(line) {
    if (line === "") return this.#end();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    switch (field) {
      case "event": this.#name = value; break;
      case "data": this.#data.push(value); break;
      case "retry": if (/^\d+$/.test(value)) this.retry = Number(value);
    }
  }

  #end() {
    const [name, data] = [this.#name, this.#data];
    this.#name = "";
    this.#data = [];
    if (data.length > 0) this.dispatch(name || "message", data.join("\n"));
  }
}
