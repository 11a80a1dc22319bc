// How accurate the formats of a suggestion are.
import gaussianDb from 'gaussian-accuracies';
import { number } from '../format';
import { measuredDb } from '../precision/own_weights';
import { hasCache } from '../sources/opened';

const ASSUMED = 'per tensor, assumed Gaussian';

interface Formats {
  weight?: string;
  activation?: string;
  output?: string;
  kv?: string;
}

/** Without a cache its format has no effect. */
const formatsOf = ({ weight, activation, output, kv }: Formats) =>
  [...new Set([weight, activation, output, hasCache.value ? kv : undefined])].filter(format => format !== undefined);

/**
 * The accuracy of each of some what-ifs for a layer, in words; '': not known. As in the table of layers, the least accurate format
 * counts: of the layer's own weights if they were measured, and of assumed numbers.
 */
export function accuraciesOf(whatifs: Formats[], layer: string): string[] {
  return whatifs.map(({ weight, ...others }) => {
    const measured = weight === undefined ? null : measuredDb(layer, weight);
    const assumed = formatsOf(measured === null ? { ...others, ...(weight && { weight }) } : others).map(
      format => gaussianDb[format] ?? null,
    );
    const least = assumed.length === 0 || assumed.includes(null) ? null : Math.min(...(assumed as number[]));
    return accuracyText(measured, least);
  });
}

/** The lower SQNR, dB, of the layer's own weights and of Gaussian numbers; null: not known. */
function accuracyText(measured: number | null, assumed: number | null): string {
  if (measured !== null && measured <= (assumed ?? Infinity))
    return `${measured === Infinity ? 'exact,' : `${number(measured)} dB`} measured`;
  return assumed === null ? '' : `${number(assumed)} dB ${ASSUMED}`;
}
