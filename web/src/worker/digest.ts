// The SHA-256 of a file, which identifies it in links and among kept copies.
import type { Digest, InputFile } from './messages';
import { MOST_BYTES } from './module';
import { plain } from './plain';

/// Of the file as it is, and of its plain text. Null where the page is insecure (no crypto.subtle), the file too large or unreadable.
export async function digestOf({ blob }: InputFile): Promise<Digest | null> {
  try {
    if (!globalThis.crypto?.subtle || blob.size > MOST_BYTES) return null;
    const text = await plain(blob, () => {});
    if (text.size > MOST_BYTES) return null;
    const sha256 = await hash(blob);
    return { sha256, plain: text.size === blob.size ? sha256 : await hash(text) };
  } catch {
    return null;
  }
}

async function hash(blob: Blob) {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
}
