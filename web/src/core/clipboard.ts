// The clipboard. Browsers give it to pages over https and of this computer, if the user has not refused it.

export const NOT_COPIED = 'The browser blocked copying';

/** Copies a text or a PNG image; false if the browser does not allow it. */
export async function copyToClipboard(content: string | Promise<Blob>): Promise<boolean> {
  try {
    if (typeof content === 'string') await navigator.clipboard.writeText(content);
    else await navigator.clipboard.write([new ClipboardItem({ 'image/png': content })]);
    return true;
  } catch {
    return false;
  }
}
