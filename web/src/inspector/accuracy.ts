// How accurate the formats of a suggestion are.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';

const asked = new Map<string, Promise<number | null>>();

/** SQNR of Gaussian numbers in a format, dB; null: unknown. */
const accuracyOf = (id: string) => {
  if (!asked.has(id))
    asked.set(
      id,
      core()
        .show('format', id)
        .then(text => (JSON.parse(text) as { sqnr_db?: { gaussian?: number | null } }).sqnr_db?.gaussian ?? null)
        .catch(() => (asked.delete(id), null)),
    );
  return asked.get(id)!;
};

interface Formats {
  weight?: string;
  activation?: string;
  kv?: string;
}

/** The least accuracy among the formats of each of some what-ifs, dB; null until it is known. */
export function useAccuracies(whatifs: Formats[]): (number | null)[] {
  const [known, setKnown] = useState<(number | null)[]>([]);
  useEffect(() => {
    let gone = false;
    void Promise.all(
      whatifs.map(async ({ weight, activation, kv }) => {
        const formats = [...new Set([weight, activation, kv].filter(format => format !== undefined))];
        const figures = await Promise.all(formats.map(accuracyOf));
        return figures.length === 0 || figures.includes(null) ? null : Math.min(...(figures as number[]));
      }),
    ).then(all => void (gone || setKnown(all)));
    return () => void (gone = true);
  }, [JSON.stringify(whatifs)]);
  return whatifs.map((_, i) => known[i] ?? null);
}
