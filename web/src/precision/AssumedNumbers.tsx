// Marks a headline whose accuracies are of a distribution, as an assumed machine is marked.
import { assumedNumbers } from './assumed_numbers';

/** The mark; a click opens the choice of numbers, if the view has one. */
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
      title="Accuracies are measured on numbers of this distribution, not on the file's own. Choose others under Numbers"
      onClick={choose}
    >
      assumed numbers: {name}
    </button>
  );
}
