// The figures that the machine's editor has fields for, and their ranges.
/** The range of a field: what a machine can have, in the field's unit. */
export const RATE = { least: 1e-6, most: 1e9 };

export interface FieldRange {
  least: number;
  most: number;
  unit?: string;
  whole?: boolean;
}

export const MEMORY_FIGURES: readonly {
  key: 'bandwidth' | 'read' | 'write' | 'capacity';
  unit: string;
  label: (of: string) => string;
}[] = [
  { key: 'bandwidth', unit: 'GB/s', label: of => `GB/s of ${of}` },
  { key: 'read', unit: 'GB/s', label: of => `Read GB/s of ${of}` },
  { key: 'write', unit: 'GB/s', label: of => `Write GB/s of ${of}` },
  { key: 'capacity', unit: 'GB', label: of => `Capacity of ${of}, GB` },
];

/** Figures of the whole machine. */
export const GROUPS: readonly {
  title: string;
  note?: string; // how an empty field counts
  figures: readonly (FieldRange & {
    key: 'compute' | 'bandwidth' | 'launch' | 'tdp' | 'price' | 'units';
    name: string;
    label: string;
  })[];
}[] = [
  {
    title: 'Achievable by real kernels',
    note: 'An empty field takes the median of similar machines; an empty launch overhead takes that of the software stack. Compute may exceed 100%, because cores can run above the clock of the stated peaks. Language models reach only a fraction of these; set it under Estimate (overheads).',
    figures: [
      {
        key: 'compute',
        name: 'Compute, %',
        label: 'Achievable compute, %',
        least: 0.1,
        most: 100,
        unit: '%',
      },
      {
        key: 'bandwidth',
        name: 'Bandwidth, %',
        label: 'Achievable bandwidth, %',
        least: 0.1,
        most: 100,
        unit: '%',
      },
      {
        key: 'launch',
        name: 'Launch, µs',
        label: 'Launch time, µs',
        least: 0,
        most: 1e6,
        unit: 'µs',
      },
    ],
  },
  {
    title: 'Power and price',
    figures: [
      {
        key: 'tdp',
        name: 'Power, W',
        label: 'Power (TDP), W',
        ...RATE,
        unit: 'W',
      },
      { key: 'price', name: 'Price, $', label: 'Price, US dollars', ...RATE },
    ],
  },
  {
    title: 'Matrix units',
    figures: [
      {
        key: 'units',
        name: 'SMs, CUs or cores',
        label: 'Number of matrix units (SMs, CUs, cores)',
        least: 1,
        most: 1e9,
        whole: true,
      },
    ],
  },
];
