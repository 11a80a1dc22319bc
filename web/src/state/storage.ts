// What this browser keeps. In a frame of another site, or where storage is full or forbidden, there is only nothing kept.

/** What was kept under a name; null: nothing. */
export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text. */
export function store(key: string, text: string) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // see above
  }
}
