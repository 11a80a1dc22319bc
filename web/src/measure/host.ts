// The page's functions and state that the measuring bundle uses, which is loaded on demand and has none of its own.
import type { Machine } from '../core/engine';
import type { Operator } from '../operator/operator';
import type { InputFile } from '../worker/messages';

export interface Host {
  machine: Machine | null; // the chosen one, for comparison
  mine: Machine[]; // the user's own
  operator: Operator | null; // the open one
  openFiles(files: InputFile[]): Promise<unknown>;
  chooseMachine(machine: object): void;
  saveMachine(machine: Machine): boolean; // false: this browser cannot store it
}

export interface Measuring {
  open(host: Host): Promise<void>;
}

declare global {
  var RooflineMeasuring: { default: Measuring } | undefined;
}
