// The sources beside files: what the core makes itself. Adding one is adding its panel and a line here.
import type { ComponentType } from 'preact';
import type { Built } from '../state/link';
import { openModelSource } from '../state/model';
import { ModelSource } from './ModelSource';
import { openOperator } from '../state/operator';
import { OperatorSource } from './OperatorSource';

export interface BuiltPanel {
  id: Built['built'];
  label: string;
  Panel: ComponentType;
  open: () => void; // what its tab does: it opens something that is already interesting, or what was open there last
}

export const SOURCES: BuiltPanel[] = [
  { id: 'operator', label: 'Operator', Panel: OperatorSource, open: () => void openOperator() },
  { id: 'model', label: 'LLM', Panel: ModelSource, open: openModelSource },
];
