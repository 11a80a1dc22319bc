// Shows the first picture until the core is ready, if the page opens with the first sample.
import { batch } from '@preact/signals';
import text from 'first-picture';
import { unpack } from '../worker/first_picture';
import { formats, machines } from '../core/catalogue';
import { show } from '../core/engine';
import { openFiles } from '../sources/files';
import { opened, samples, source } from '../sources/opened';
import { encodeLink, type LinkState } from '../share/link';
import { selectQuietly } from '../core/sheet';

/**
 * Null if the link asks for another view. Otherwise shows the picture and starts to open its sample, ahead of any action
 * of the user.
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
