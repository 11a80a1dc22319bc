// Asks the core for the name of the operation under the pointer.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';
import { opened } from '../sources/opened';

/** The name of an operation; '' for null, and until the core answers. */
export function useOpName(op: number | null): string {
  const [name, setName] = useState('');
  useEffect(() => {
    setName('');
    let overtaken = false;
    if (op !== null)
      void core()
        .glance(op)
        .then(({ row, error }) => !error && !overtaken && setName(row.name));
    return () => void (overtaken = true);
  }, [op, opened.value]);
  return name;
}
