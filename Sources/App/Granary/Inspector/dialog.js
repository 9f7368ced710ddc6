import { h } from "/inspector/dom.js";

/**
 * Opens a modal dialog, which Escape closes.
 * @param {string} title
 * @param {(close: () => void) => import("/inspector/element.js").Child} content
 */
export function open(title, content) {
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-label": title }));
  const close = () => dialog.close();
  dialog.append(h("div.dialog",
    h("div.dialog-head", h("h2", title), h("button.plain", { type: "button", "aria-label": "Close", onclick: close }, "×")),
    h("div.dialog-body", content(close))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks before something that cannot be undone.
 * @param {string} title
 * @param {string} detail
 * @param {string} label of the button
 * @returns {Promise<boolean>}
 */
export function confirm(title, detail, label) {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const dialog = open(title, (close) => [
      h("p", detail),
      h("div.actions",
        h("button", { type: "button", onclick: close }, "Cancel"),
        h("button.danger", { type: "button", onclick: () => { isConfirmed = true; close(); } }, label)),
    ]);
    dialog.addEventListener("close", () => resolve(isConfirmed));
  });
}
