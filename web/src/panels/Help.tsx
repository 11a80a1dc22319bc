// What the page does and the keys it knows.
import { GLOSSARY } from '../state/glossary';
import { Dialog } from '../widgets/Dialog';

declare const VERSION: string;

const KEYS = [
  ['← →', 'in the chart: the next operation by intensity'],
  ['↑ ↓', 'the next operation in the table'],
  ['Home End', 'the first, the last'],
  ['Page ↑ ↓', 'a page further'],
  ['/', 'search'],
  ['+ −', 'zoom the chart'],
  ['F', 'fit the points and the ridge'],
  ['D', 'the machine’s decades'],
  ['Esc', 'clear the selection, then the filters'],
  ['1 … 9', 'the views, in their order'],
  ['Ctrl K', 'the command palette: anything, by its name'],
  ['Ctrl Z', 'undo; with Shift redo'],
  ['?', 'this help'],
];

/** Keys and terms in a dialog. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Roofline" onClose={onClose}>
      <p>
        Open a <code>commands.json</code>: every operation becomes a point. The roof is what the machine allows; the
        distance to it is time lost. Drop an <code>op_registry.json</code>, a <code>roofline_config.json</code> or a
        machine file in the same way. Files never leave this browser.
      </p>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p>
        Drag to pan, wheel to zoom, double-click to fit the points again. Shift-click a status or a type to see only
        that. A caret over a point: it is above the roof, so the peak, the clock or the byte count is wrong.
      </p>
      <p>
        Points at the left edge do no arithmetic (copies, transposes): their height is their bandwidth, and each
        memory's roof meets the edge at its full bandwidth.
      </p>
      <h3>Words</h3>
      <dl class="glossary">
        {GLOSSARY.map(([term, meaning]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">Version {VERSION}</p>
    </Dialog>
  );
}
