// What the page calls through Comlink.
import { ping, start } from './module';
import { digestOf } from './digest';
import { askNetwork, askNetworkPlan } from './open_network';
import * as opening from './opening';
import * as questions from './questions';
import { askQuantize, sampleAccuracies } from './quantize';
import { cancel, sourceBlob } from './reading';
import { askServing } from './serving';
import { accuracy } from './tensors';

const { build, clearRegistry, columns, forget, keep, machine, open, resize } = opening;

export const core = {
  start,
  ping,
  open,
  resize,
  build,
  cancel,
  columns,
  machine,
  keep,
  forget,
  clearRegistry,
  sourceBlob,
  digest: digestOf,
  accuracy,
  askNetwork,
  askNetworkPlan,
  askQuantize,
  askServing,
  sampleAccuracies,
  ...questions,
};
export type Core = typeof core;
