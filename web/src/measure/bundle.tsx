// measure.js: the dialog that measures, with what it needs.
import { render } from 'preact';
import { loadStyle } from '../core/assets';
import type { Host, Measuring } from './host';
import { MeasureDialog } from './MeasureDialog';

let place: HTMLElement | undefined;

/** The stylesheet is not part of the page's, which every visitor loads. */
async function prepare(): Promise<HTMLElement> {
  await loadStyle('measure.css');
  const made = document.createElement('div');
  document.body.append(made);
  return made;
}

const measuring: Measuring = {
  async open(host: Host) {
    place ??= await prepare();
    const close = () => render(null, place!);
    render(<MeasureDialog host={host} onClose={close} />, place);
  },
};
export default measuring;
