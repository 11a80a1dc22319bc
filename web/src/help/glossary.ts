// The words of the field that the page uses, for help and for the palette.

export const GLOSSARY: readonly (readonly [term: string, meaning: string])[] = [
  [
    'Roofline',
    'The most FLOP/s a machine allows at an intensity: the lower of its compute peak and intensity times bandwidth.',
  ],
  ['Intensity', 'FLOPs per byte moved. Left of the ridge memory limits, right of it compute does.'],
  ['Ridge point', 'The intensity from which on compute limits: peak over bandwidth.'],
  ['Bound', 'The least time an operation can take: its work over the rate of the resource that limits it.'],
  [
    'Estimate',
    'The time to expect: the bound with achievable rates, launches, waits between tiles and what does not overlap.',
  ],
  ['Efficiency', 'The bound over the measured time.'],
  ['Above bound', 'Measured time beyond the bound, of operations that are slower than it.'],
  ['Attainable', 'FLOP/s at the bound.'],
  [
    'Status',
    'How far an operation is from what limits it: near the roof, in between, well below the roof, or limited by its launch.',
  ],
  ['Lane', 'The strip at the left edge, for operations without FLOPs: their height is their bandwidth.'],
  [
    'What-if',
    'The same operations with other formats, batch, rates or another machine. A range. Low: overhead stays constant. High: efficiency stays constant.',
  ],
  ['SQNR', 'Signal over the noise that rounding to a format adds, in dB: 6 dB more is one bit more.'],
  ['Pareto front', 'The formats that no other format beats in both speed and accuracy.'],
  ['Prefill', 'The prompt is read, all of its tokens at once: mostly limited by compute.'],
  ['Decode', 'The answer is written token by token, and each reads all weights: mostly limited by memory.'],
  ['TTFT', 'Time to first token: queueing apart, the prefill.'],
  ['TPOT', 'Time per output token of one sequence.'],
  ['MFU', 'Model FLOPs utilisation: FLOPs over time, as a fraction of the matrix peak.'],
  ['MBU', 'Memory bandwidth utilisation: bytes over time, as a fraction of the bandwidth.'],
  ['KV cache', 'Keys and values of all tokens so far, read by each decode step.'],
  ['Tensor parallelism', 'Each product is split over machines, which add up their parts over a link (all-reduce).'],
  ['Predicted vs measured', 'Parity: on the diagonal the prediction is right.'],
  ['Self time', 'An operation’s time less that of the operations within it.'],
];
