// The badge beside a headline whose accuracies assume a distribution of numbers.
import { assumedNumbers } from './assumed_numbers';

const TITLE = "Accuracies are measured on numbers of this distribution, not on the file's own";

/** The badge; a click opens the choice of numbers, if the view has one. */
export function AssumedNumbers() {
  const assumed = assumedNumbers.value;
  if (assumed === null) return null;
  const badge = {
    class: 'badge assumed',
    title: TITLE,
    children: `assumed numbers: ${assumed.name}`,
  };
  return assumed.choose ? <button type="button" onClick={assumed.choose} {...badge} /> : <span {...badge} />;
}
