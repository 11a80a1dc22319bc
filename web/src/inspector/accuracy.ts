// How accurate the formats of a suggestion are.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';
import { number } from '../format';
import { measuredDb } from '../precision/own_weights';
import { hasCache } from '../sources/opened';

const ASSUMED = 'per tensor, assumed Gaussian';

const asked = new Map<string, Promise<number | null>>();

/** SQNR of Gaussian numbers in a format, dB; null: unknown. */
const gaussianDb = (id: string) => {
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
  output?: string;
  kv?: string;
}

const formatsOf = ({ weight, activation, output, kv }: Formats) => [
  ...new Set([weight, activation, output, kv].filter(format => format !== undefined)),
];

const PENDING = `… dB ${ASSUMED}`; // as long as the text that replaces it

/**
 * The accuracy of each of some what-ifs for a layer, in words; '': not known. As in the table of layers, the layer's own weights
 * count if they were measured, else the least accurate format on assumed numbers.
 */
export function useAccuracies(formats: Formats[], layer: string): string[] {
  const whatifs = hasCache.value ? formats : formats.map(({ kv: _, ...others }) => others); // without a cache its format has no effect
  const key = JSON.stringify(whatifs);
  const [assumed, setAssumed] = useState<{ key: string; figures: (number | null)[] }>();
  useEffect(() => {
    let gone = false;
    void Promise.all(
      whatifs.map(async whatif => {
        const figures = await Promise.all(formatsOf(whatif).map(gaussianDb));
        return figures.length === 0 || figures.includes(null) ? null : Math.min(...(figures as number[]));
      }),
    ).then(all => void (gone || setAssumed({ key, figures: all })));
    return () => void (gone = true);
  }, [key]);
  return whatifs.map((whatif, i) => {
    const measured = whatif.weight ? measuredDb(layer, whatif.weight) : null;
    if (measured === null && assumed?.key !== key) return formatsOf(whatif).length > 0 ? PENDING : '';
    return accuracyText(measured, assumed?.figures[i] ?? null);
  });
}

/** SQNR in dB, of the layer's own weights and of Gaussian numbers; null: not known. */
function accuracyText(measured: number | null, assumed: number | null): string {
  if (measured !== null) return `${measured === Infinity ? 'exact,' : `${number(measured)} dB`} measured`;
  return assumed === null ? '' : `${number(assumed)} dB ${ASSUMED}`;
}
