// The distribution that the shown view rounds in place of the file's own numbers: its headline states accuracies of it.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Assumed {
  name: string;
  choose: (() => void) | undefined; // opens the view's choice of numbers, if it has one
}

const named = signal<readonly Assumed[]>([]); // one per mounted component: the next may mount before the last unmounts

/** Its name; null: the accuracies are of the file's own numbers, or there are none. */
export const assumedNumbers = computed(() => named.value.at(-1) ?? null);

/** Names the distribution beside the headline while the component is mounted; false: none. */
export function useAssumedNumbers(name: string | false, choose?: () => void) {
  useEffect(() => {
    if (name === false) return;
    const mine = { name, choose };
    named.value = [...named.value, mine];
    return () => void (named.value = named.value.filter(other => other !== mine));
  }, [name, choose]);
}
