// Shows the first picture where it is what the page would open with, until the core is there.
import { batch, signal } from '@preact/signals';
import text from 'first-picture';
import { unpack } from '../worker/first_picture';
import { formats, machines } from '../core/catalogue';
import { show } from '../core/engine';
import { opened, openFiles, samples, source } from '../sources/files';
import { encodeLink, type LinkState } from '../share/link';
import { selectQuietly } from '../core/sheet';

/** The core has answered: what is on the screen is its own. */
export const ready = signal(false);

/**
 * False where the link asks for something else. Otherwise the picture is on the screen, and the sample behind it is
 * on its way into the core, before anything that the person does next.
 */
export function showPicture({ layout: _, ...state }: LinkState): Promise<unknown> | null {
  const picture = unpack(text);
  const first = picture.samples[0]!;
  const from = { sample: first.id };
  const shown = [{}, { source: from }, { source: from, selected: picture.selected! }];
  if (!shown.some(link => encodeLink(link) === encodeLink(state))) return null;
  batch(() => {
    samples.value = picture.samples;
    machines.value = picture.machines;
    formats.value = picture.formats;
    opened.value = picture.opened;
    source.value = from;
    selectQuietly(picture.selected);
    show(picture.reply);
  });
  return openFiles([{ name: first.file, blob: new Blob([picture.text]) }], { source: from, shown: true });
}
