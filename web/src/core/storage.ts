// The browser's storage. If it is full or forbidden, as in a frame of another site, nothing is kept and nothing fails.

type Place = () => Storage; // asking for it may throw

const forEver: Place = () => localStorage;
/** For as long as this tab is open. */
export const visit: Place = () => sessionStorage;

/** What was kept under a name; null: nothing. */
export function stored(key: string, place = forEver): string | null {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text. */
export function store(key: string, text: string, place = forEver) {
  try {
    place().setItem(key, text);
  } catch {
    // see above
  }
}
