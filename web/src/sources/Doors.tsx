// Three ways to begin, over the sample of a first visit.
import { closeDoors, doorsOpen } from './first_visit';
import { chooseFiles } from './input';
import { openModelSource } from '../model/model';
import { openOperator } from '../operator/operator';
import { showForm } from '../core/sheet';

const DOORS: [label: string, text: string, open: () => unknown][] = [
  ['Open a profile or model', 'PyTorch, Nsight, XProf, ONNX, CSV, GGUF … It stays in this browser.', chooseFiles],
  ['Size an operator', 'A matrix product, convolution or attention, by its shape.', () => (showForm(), openOperator())],
  ['Plan a language model', 'Does it fit, how fast, on which machine?', () => (showForm(), openModelSource())],
];

/** The doors; nothing once one was chosen. */
export function Doors() {
  if (!doorsOpen.value) return null;
  return (
    <section class="doors" aria-label="Begin">
      <h2>What do you have?</h2>
      {DOORS.map(([label, text, open]) => (
        <button key={label} type="button" aria-label={label} onClick={() => (closeDoors(), void open())}>
          <strong>{label}</strong>
          <span class="muted">{text}</span>
        </button>
      ))}
      <button type="button" class="ghost" onClick={closeDoors}>
        Look at the sample
      </button>
    </section>
  );
}
