// Three ways to begin, shown on the first visit and at the top of the source menu.
import { showForm } from '../core/sheet';
import { openModelSource } from '../model/model';
import { openOperator } from '../operator/operator';
import { canDrop } from '../core/pointer';
import { chooseFiles } from './input';

export const STARTS: [label: string, text: string, open: () => unknown][] = [
  [
    'Open a profile or model',
    `PyTorch, Nsight, XProf, ONNX, TFLite, CSV, GGUF and more${canDrop ? ', or drop it anywhere' : ''}. It stays in this browser.`,
    chooseFiles,
  ],
  ['Size an operator', 'A matrix product, convolution or attention, by its shape.', () => (showForm(), openOperator())],
  ['Plan a language model', 'Does it fit, how fast, on which machine?', () => (showForm(), openModelSource())],
];
