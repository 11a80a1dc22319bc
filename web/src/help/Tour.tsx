// A tour of two minutes on measured data. Each step frames a part of the page, which stays usable.
import { useEffect, useState } from 'preact/hooks';
import { sheet } from '../core/sheet';
import { tourStep } from './tour_step';
import { IconButton } from '../widgets/IconButton';

interface Step {
  title: string;
  text: string;
  at: string; // CSS selector of what it is about
  before?: () => void;
}

const STEPS: Step[] = [
  {
    title: 'The finding',
    text: 'The sample holds matrix products timed on one thread of an Intel Xeon. The headline answers the question of the current tab.',
    at: 'main h1',
  },
  {
    title: 'The roofline',
    text: 'Each point is an operation; the lines are the limits of the machine: memory bandwidth on the slope, compute on the flat part. The distance to the line is time above the bound. Hover over a point, then click it.',
    at: '.chart',
  },
  {
    title: 'The operations',
    text: 'The table lists the same operations, those with the most time above the bound first. Arrow keys move through it, / searches, a click on a heading sorts.',
    at: '.drawer',
  },
  {
    title: 'Why',
    text: 'The diagnosis says what limits the selected operation, by how much, and which changes would help most. Each formula is below, with its numbers.',
    at: '.right',
    before: () => (sheet.value = 'inspector'),
  },
  {
    title: 'Change',
    text: 'Try other formats, a larger batch or another machine: an arrow shows where each point would move. The speed-up is a range, because nobody knows how much of the overhead would remain. Drag a rate and the roof moves.',
    at: '.left',
    before: () => (sheet.value = 'change'),
  },
  {
    title: 'The machine',
    text: 'Choose another built-in machine. The pencil opens its sources, an editor and the thresholds.',
    at: '.machine-chip',
    before: () => (sheet.value = null),
  },
  {
    title: 'Yours',
    text: 'Drop your own file anywhere on the page, or a second one to compare. Nothing leaves the browser. Share makes a link to this view; Export saves it as a picture, a table or a report.',
    at: '.top-bar',
  },
];

/** The current step, and a frame around the part it describes. */
export function Tour() {
  const at = tourStep.value;
  return at === null ? null : <TourStep key={at} at={at} />;
}

function TourStep({ at }: { at: number }) {
  const { title, text, at: selector, before } = STEPS[at]!;
  const [place, setPlace] = useState<DOMRect | null>(null);
  useEffect(() => {
    before?.();
    const target = document.querySelector(selector);
    target?.scrollIntoView({ block: 'nearest' });
    const measure = () => setPlace(target?.getBoundingClientRect() ?? null);
    measure();
    const sizes = new ResizeObserver(measure); // it is resized when a panel beside it closes
    if (target) sizes.observe(target);
    addEventListener('resize', measure);
    addEventListener('scroll', measure, true);
    return () => {
      sizes.disconnect();
      removeEventListener('resize', measure);
      removeEventListener('scroll', measure, true);
    };
  }, []);
  const end = () => (tourStep.value = null);
  const last = at === STEPS.length - 1;
  const low = place !== null && place.top + place.height / 2 > innerHeight * 0.6;
  return (
    <>
      {place && (
        <div
          class="tour-frame"
          style={{
            left: `${place.left}px`,
            top: `${place.top}px`,
            width: `${place.width}px`,
            height: `${place.height}px`,
          }}
        />
      )}
      <section class={low ? 'tour high' : 'tour'} aria-label="Tour" aria-live="polite">
        <header>
          <h2>{title}</h2>
          <span class="muted">
            {at + 1} of {STEPS.length}
          </span>
          <span class="fill" />
          <IconButton icon="close" label="End the tour" onClick={end} />
        </header>
        <p>{text}</p>
        <div class="actions">
          <button type="button" disabled={at === 0} onClick={() => (tourStep.value = at - 1)}>
            Back
          </button>
          <button type="button" class="primary" onClick={() => (last ? end() : (tourStep.value = at + 1))}>
            {last ? 'Done' : 'Next'}
          </button>
        </div>
      </section>
    </>
  );
}
