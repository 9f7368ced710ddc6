/** The time in milliseconds after which the page shows that a request is pending. */
const patience = 1000;

/**
 * Reports when a promise takes longer than a second to settle.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {{begin: () => void, end?: () => void}} late `begin` is called after a second, and `end` when the
 *   promise settles after that
 * @returns {Promise<Value>}
 */
export async function whenLate(promise, { begin, end = () => {} }) {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    begin();
  }, patience);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    if (isLate) end();
  }
}
