// What the lists of machines show of one.
export interface MachineEntry {
  id: string;
  name: string;
  vendor: string;
  peak: number | null; // the largest of its formats, FLOP/s
  bandwidth: number | null; // of the device memory
  capacity: number | null;
}

type Listed = Omit<MachineEntry, 'peak'> & { matrix_peaks: Record<string, number> };

/** The machines as the core lists them, without the figures that no list shows: the first picture holds all of them. */
export const machineEntries = (listed: readonly object[]): MachineEntry[] =>
  (listed as Listed[]).map(({ id, name, vendor, matrix_peaks, bandwidth, capacity }) => {
    const peaks = Object.values(matrix_peaks);
    return { id, name, vendor, peak: peaks.length > 0 ? Math.max(...peaks) : null, bandwidth, capacity };
  });
