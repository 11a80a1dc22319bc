// How accurate the formats of a suggestion are.
import sqnrDb from 'format-accuracies';
import { number } from '../format';
import { chosenDistribution } from '../precision/distributions';
import { measuredDb } from '../precision/own_weights';
import { hasCache } from '../sources/opened';

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
 * counts: of the layer's own weights if they were measured, and of the distribution chosen in Formats.
 */
export function accuraciesOf(whatifs: Formats[], layer: string): string[] {
  const { id, assumed: name } = chosenDistribution();
  return whatifs.map(({ weight, ...others }) => {
    const measured = weight === undefined ? null : measuredDb(layer, weight);
    const assumed = formatsOf(measured === null ? { ...others, ...(weight && { weight }) } : others).map(
      format => sqnrDb[id][format] ?? null,
    );
    const least = assumed.length === 0 || assumed.includes(null) ? null : Math.min(...(assumed as number[]));
    return accuracyText(measured, least, name);
  });
}

/** The lower SQNR, dB, of the layer's own weights and of assumed numbers; null: not known. */
function accuracyText(measured: number | null, assumed: number | null, distribution: string): string {
  if (measured !== null && measured <= (assumed ?? Infinity))
    return `${measured === Infinity ? 'exact,' : `${number(measured)} dB`} measured`;
  return assumed === null ? '' : `${number(assumed)} dB per tensor, assumed ${distribution}`;
}
