// The words of the field that the page uses, for help and for the palette.
import { WHATIF_RANGE } from '../core/settings';
import { BOUND_BY, LIMITED_BY } from '../plot/bounds';

export const GLOSSARY: readonly (readonly [term: string, meaning: string])[] = [
  [
    'Roofline',
    'The most FLOP/s a machine allows at an intensity: the lower of its compute peak and intensity times bandwidth.',
  ],
  ['Intensity', 'FLOPs per byte moved. Memory limits left of the ridge, compute right of it.'],
  ['Limited by', LIMITED_BY + '.'],
  ['Bound by', BOUND_BY + '.'],
  ['Ridge point', 'The intensity above which compute limits: peak / bandwidth.'],
  ['Bound', 'The least time an operation can take: its work over the rate of the resource that limits it.'],
  [
    'Estimate',
    'The time to expect: the bound at achievable rates, plus launch overhead, partly filled waves and time that does not overlap.',
  ],
  ['Efficiency', 'The bound over the measured time.'],
  ['Above bound', 'Measured time minus the bound, of operations slower than their bound.'],
  ['Attainable', 'FLOP/s at the bound.'],
  [
    'Status',
    'How far an operation is from its limit: near the roof, in between, well below the roof, or limited by launch latency.',
  ],
  ['Lane', 'The strip at the left edge for operations without FLOPs. Their height is their bandwidth.'],
  [
    'What-if',
    `The same operations with other formats, batch, rates or another machine. ${WHATIF_RANGE} It compares the same work: with a larger batch, the same number of items.`,
  ],
  ['SQNR', 'Signal-to-quantisation-noise ratio of a format, in dB. 6 dB more is about one bit more.'],
  ['Pareto front', 'The formats that no other format beats in both speed and accuracy.'],
  ['Prefill', 'The model reads all tokens of the prompt at once: mostly limited by compute.'],
  ['Decode', 'The model writes the answer token by token, and each step reads all weights: mostly limited by memory.'],
  ['TTFT', 'Time to first token: the prefill, without queueing.'],
  ['TPOT', 'Time per output token of one sequence.'],
  ['MFU', 'Model FLOPs utilisation: FLOPs over time, as a fraction of the matrix peak.'],
  ['MBU', 'Memory bandwidth utilisation: bytes over time, as a fraction of the bandwidth.'],
  ['KV cache', 'Keys and values of all tokens so far, read by each decode step.'],
  [
    'Tensor parallelism',
    'Each matrix product is split over several machines, which add up their partial results over a link (all-reduce).',
  ],
  ['Predicted vs measured', 'Parity plot: points on the diagonal are predicted correctly.'],
  ['Self time', 'The time of an operation without the operations nested in it.'],
];
