// Three ways to begin, over the sample of a first visit.
import { closeDoors, doorsOpen } from './first_visit';
import { chooseFiles } from './input';
import { openModelSource } from '../model/model';
import { openOperator } from '../operator/operator';
import { showForm } from '../core/sheet';
import { IconButton } from '../widgets/IconButton';

const DOORS: [label: string, text: string, open: () => unknown][] = [
  [
    'Open a profile or model',
    'PyTorch, Nsight, XProf, JSON, CSV, GGUF or config.json. Or drop a file anywhere; it stays in this browser.',
    chooseFiles,
  ],
  [
    'Size an operator',
    'A matrix product, convolution or attention by its shape, in several formats.',
    () => (showForm(), openOperator()),
  ],
  ['Plan a language model', 'Does it fit, how fast is it, on which machine?', () => (showForm(), openModelSource())],
];

/** The doors; nothing once one was chosen. */
export function Doors() {
  if (!doorsOpen.value) return null;
  return (
    <section class="doors" aria-label="Begin">
      <header>
        <h2>What do you have?</h2>
        <IconButton icon="close" label="Look at the sample" class="ghost" onClick={closeDoors} />
      </header>
      {DOORS.map(([label, text, open]) => (
        <button key={label} type="button" aria-label={label} onClick={() => (closeDoors(), void open())}>
          <strong>{label}</strong>
          <span class="muted">{text}</span>
        </button>
      ))}
    </section>
  );
}
