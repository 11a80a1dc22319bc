// The name of the operation under the pointer, which the core is asked for.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';
import { opened } from '../sources/files';

/** '' for null and until the answer is there. */
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
