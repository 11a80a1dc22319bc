// The distribution that the shown view rounds in place of the file's own numbers: its headline states accuracies of it.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Its name; null: the accuracies are of the file's own numbers, or there are none. */
export const assumedNumbers = signal<string | null>(null);

/** Names the distribution beside the headline while the view is mounted; false: none. */
export function useAssumedNumbers(name: string | false) {
  useEffect(() => {
    if (name === false) return;
    assumedNumbers.value = name;
    return () => void (assumedNumbers.value = null);
  }, [name]);
}
