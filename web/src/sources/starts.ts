// Three ways to begin: the doors of a first visit, and the first items behind the source's chip.
import { showForm } from '../core/sheet';
import { openModelSource } from '../model/model';
import { openOperator } from '../operator/operator';
import { chooseFiles } from './input';

export const STARTS: [label: string, text: string, open: () => unknown][] = [
  [
    'Open a profile or model',
    'PyTorch, Nsight, XProf, ONNX, TFLite, CSV, GGUF …, or drop it anywhere. It stays in this browser.',
    chooseFiles,
  ],
  ['Size an operator', 'A matrix product, convolution or attention, by its shape.', () => (showForm(), openOperator())],
  ['Plan a language model', 'Does it fit, how fast, on which machine?', () => (showForm(), openModelSource())],
];
