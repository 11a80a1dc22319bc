// The page's functions and state that the measuring bundle uses, which is loaded on demand and has none of its own.
import type { Machine } from '../core/machine_document';
import type { Operator } from '../operator/operator';
import type { InputFile } from '../worker/messages';

/** A machine as `roofline list machines` has it. */
export interface ListedMachine {
  id: string;
  name: string;
  vendor: string;
  architecture: string;
  bandwidth: number | null; // of the device memory, B/s
}

export interface Host {
  listMachines(): Promise<ListedMachine[]>; // all presets
  showMachine(id: string): Promise<Machine>; // a preset's figures
  mine: Machine[]; // the user's own
  operator: Operator | null; // that can be run
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
