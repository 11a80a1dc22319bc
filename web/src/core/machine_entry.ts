// What the lists of machines show of one.
export interface MachineEntry {
  id: string;
  name: string;
  vendor: string;
  peak: number | null; // FLOP/s of its matrix units, in `peak_format`
  peak_format: string | null; // FP16 where it has it, so that peaks in a list compare; else that of the largest
  bandwidth: number | null; // of the device memory
  capacity: number | null;
}

type Listed = Omit<MachineEntry, 'peak' | 'peak_format'> & { matrix_peaks: Record<string, number> };

/** The machines as the core lists them, without the figures that no list shows: the first picture holds all of them. */
export const machineEntries = (listed: readonly object[]): MachineEntry[] =>
  (listed as Listed[]).map(({ id, name, vendor, matrix_peaks, bandwidth, capacity }) => {
    const [peak_format, peak] =
      ['fp16', 'bf16'].flatMap(format =>
        format in matrix_peaks ? [[format, matrix_peaks[format]!] as const] : [],
      )[0] ??
      Object.entries(matrix_peaks).sort(([, a], [, b]) => b - a)[0] ??
      [];
    return { id, name, vendor, peak: peak ?? null, peak_format: peak_format ?? null, bandwidth, capacity };
  });
