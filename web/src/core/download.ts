/** Hands a file to the browser to be saved. */
export function download(blob: Blob, name: string) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves a value as indented JSON. */
export const downloadJson = (value: unknown, name: string) =>
  download(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }), name);
