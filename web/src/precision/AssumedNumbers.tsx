// The badge beside a headline whose accuracies assume a distribution of numbers.
import { assumedNumbers } from './assumed_numbers';

/** The badge; a click opens the choice of numbers, if the view has one. */
export function AssumedNumbers() {
  const name = assumedNumbers.value;
  if (name === null) return null;
  const choose = () => {
    const choice = document.querySelector<HTMLSelectElement>('select[aria-label="Numbers"]');
    choice?.focus();
    choice?.showPicker?.();
  };
  return (
    <button
      type="button"
      class="badge assumed"
      title="Accuracies are measured on numbers of this distribution, not on the file's own"
      onClick={choose}
    >
      assumed numbers: {name}
    </button>
  );
}
