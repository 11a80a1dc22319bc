// The help dialog.
import { GLOSSARY } from './glossary';
import { startTour } from './tour_step';
import { Dialog } from '../widgets/Dialog';

declare const VERSION: string;

const KEYS = [
  ['← →', 'in the chart: the next operation by intensity'],
  ['↑ ↓', 'the next operation in the table'],
  ['Shift ↑ ↓', 'fuse with the neighbour in the file (also Shift-click on a row)'],
  ['Home End', 'the first or last operation in the table'],
  ['Page ↑ ↓', 'a page up or down'],
  ['/', 'search'],
  ['+ −', 'zoom the chart or the timeline'],
  ['F', 'fit the points and the ridge; in the timeline, the whole run'],
  ['D', 'show the machine’s full range'],
  ['Esc', 'clear the selection, then the filters'],
  ['1 … 9', 'the tabs, in their order'],
  ['Ctrl K', 'the command palette: find anything by name'],
  ['Ctrl Z', 'undo; with Shift redo'],
  ['?', 'this help'],
];

const DOCUMENTS = [
  ['formats', 'What files it reads'],
  ['conventions', 'What the numbers mean'],
  ['operators', 'How work is counted'],
  ['compare', 'Comparing two runs'],
  ['accuracy', 'Accuracy of formats'],
  ['llm', 'Language models'],
  ['presets', 'Machines and formats'],
  ['validation', 'Accuracy of the estimate'],
  ['command-line', 'Command line'],
  ['index', 'All documents'],
] as const;

/** Introduction, documents, keys and glossary. */
export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Roofline" onClose={onClose}>
      <p>
        Open a <code>commands.json</code>, a table of kernels or a profile: every operation becomes a point. The roof is
        the limit of the machine; the distance to it is time above the bound. Files never leave this browser.
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => (onClose(), void startTour())}>
          Take the tour
        </button>
      </div>
      <nav aria-label="Documents">
        <ul class="documents">
          {DOCUMENTS.map(([page, label]) => (
            <li key={page}>
              <a href={`docs/${page}.html`} target="_blank" rel="noreferrer">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h3>Keys</h3>
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
        Drag to pan, scroll to zoom, double-click to fit the points again. Shift-click a status or a type to show only
        that one. A caret marks a point above the roof: the peak, the clock or the byte count is wrong.
      </p>
      <p>
        Points at the left edge do no arithmetic (copies, transposes). Their height is their bandwidth; each memory's
        roof meets the edge at its full bandwidth.
      </p>
      <h3>Glossary</h3>
      <dl class="glossary">
        {GLOSSARY.map(([term, meaning]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        Version {VERSION}, MIT licence; with{' '}
        <a href="licences.txt" target="_blank" rel="noreferrer">
          third-party software
        </a>
        . The page sends nothing anywhere:{' '}
        <a href="docs/privacy.html" target="_blank" rel="noreferrer">
          how to check that
        </a>
        .
      </p>
    </Dialog>
  );
}
