// What the page calls through Comlink.
import { ping, start } from './module';
import * as opening from './opening';
import * as questions from './questions';
import { accuracy } from './tensors';

const { build, cancel, clearRegistry, columns, forget, keep, machine, open, sha256, sourceBlob } = opening;

export const core = {
  start,
  ping,
  open,
  build,
  cancel,
  columns,
  machine,
  keep,
  forget,
  clearRegistry,
  sourceBlob,
  sha256,
  accuracy,
  ...questions,
};
export type Core = typeof core;
