// Distributions of the numbers that are rounded, in place of those of the file.
import type { SampleName } from '../protocol';
import { viewState } from '../core/view';

interface Distribution {
  id: SampleName;
  name: string; // in a list
  assumed: string; // after "assumed"
}

export const DISTRIBUTIONS: readonly Distribution[] = [
  { id: 'gaussian', name: 'Gaussian', assumed: 'Gaussian' },
  { id: 'student_t5', name: 'Heavy tails (Student t, 5)', assumed: 'heavy tails' },
  { id: 'outlier_channels', name: 'Outlier channels', assumed: 'outlier channels' },
];

/** The one chosen in Formats; the first if none is. */
export const chosenDistribution = () =>
  DISTRIBUTIONS.find(({ id }) => id === viewState.value.sample) ?? DISTRIBUTIONS[0]!;
