// Shortens names of operations and layers to the available width; computes the width of a column from its texts.
import type { ComponentChildren } from 'preact';
import type { RowJson } from '../../../wasm/session';
import { count } from '../format';
import { rowName } from '../operator/operator';
import { textWidth } from '../plot/ruler';

const WHOLE = 24; // names up to this length are not cut in the middle
const LEAST_START = 4; // a shorter beginning is not cut
const END = 12; // characters of a longer name that stay visible
const BACK = 10; // and up to this many before them, to begin with a whole part or number

const isSeparator = (character: string) => /[\s./:,;>|()[\]-]/.test(character);
const isDigit = (character: string) => /\d/.test(character);

/** The index where the visible end of a name begins: kernels' names differ most at their end. */
function endOf(name: string, end: number) {
  const from = name.length - end;
  const places = Array.from({ length: BACK + 1 }, (_, i) => from - i).filter(at => at > 0);
  return (
    places.find(at => isSeparator(name[at - 1]!)) ??
    places.find(at => name[at - 1] === '_' || isDigit(name[at - 1]!) !== isDigit(name[at]!)) ??
    from
  );
}

/** Splits a name into parts that lines may break between: never within a number. */
const partsOf = (name: string) => name.split(/(?<=[_/:\s-]|[.,](?!\d)|\dx(?=\d))/);

/** A name that can wrap after each of its parts. */
export const breakable = (name: string) => partsOf(name).flatMap((part, i) => (i > 0 ? [<wbr key={i} />, part] : part));

export const NAME_FONT_PX = 12; // of tables

/** The first parts of a name that fit, with an ellipsis; a first word that does not fit is left whole, for the style to cut. */
function firstParts(name: string, px: number) {
  const parts = partsOf(name);
  const shown = (count: number) => `${parts.slice(0, count).join('').trimEnd()}…`;
  let count = parts.length - 1;
  while (count > 0 && textWidth(shown(count), NAME_FONT_PX) > px) --count;
  return count === 0 && !/\d/.test(parts[0]!) ? parts[0]! : shown(count);
}

/** The index of the sizes behind an operator, as in "aten::addmm 788x768x768"; the length if there are none. */
const sizesAt = (name: string) => {
  const at = name.search(/ \d[\d,]*x[\dx, ]*$/);
  return at < 0 ? name.length : at;
};

/** The part of a row's name that stays whole: the operator, without the sizes behind it, and how often it ran. */
export const keptName = (row: RowJson) => operatorOf(rowName(row)) + countSuffix(row);
const operatorOf = (name: string) => name.slice(0, sizesAt(name));
/** How often an operation ran: " ×8"; '' for once. */
export const countSuffix = ({ count: times }: RowJson) => (times > 1 ? ` ×${count(times)}` : '');

/**
 * A name. If it is too wide, its end stays visible, or its operator if sizes follow. `px`: the available width; if
 * known, the cut is after a part. `end`: characters.
 */
export const named = (name: string, after?: ComponentChildren, px?: number, end = END) => {
  const cut = name.length > WHOLE && (px === undefined || textWidth(name, NAME_FONT_PX) > px);
  const endStart = cut ? endOf(name, end) : 0;
  const at = endStart >= LEAST_START ? endStart : 0;
  const sizes = sizesAt(name);
  if (at > 0 && sizes < name.length)
    return (
      <span class="long-name" title={name}>
        <span class="operator-name">{operatorOf(name)}</span>
        <span class="ellipsis">
          {px === undefined
            ? name.slice(sizes)
            : firstParts(name.slice(sizes), px - textWidth(operatorOf(name), NAME_FONT_PX))}
        </span>
        {after}
      </span>
    );
  return at === 0 ? (
    <>
      {name}
      {after}
    </>
  ) : (
    <span class="long-name" title={name}>
      <span class="ellipsis">
        {px === undefined
          ? name.slice(0, at)
          : firstParts(name.slice(0, at), px - textWidth(name.slice(at), NAME_FONT_PX))}
      </span>
      <span>
        {name.slice(at)}
        {after}
      </span>
    </span>
  );
};

/** The name of a layer. Layers of one network often share the end of their names; the part before it differs. */
export const layerName = (name: string) => named(name, undefined, undefined, WHOLE);

/** px for texts of a column, as long as they are, within reason. */
export const room = (texts: string[], least: number, most: number) =>
  Math.min(
    texts.reduce((px, { length }) => Math.max(px, 24 + 7 * length), least),
    most,
  );

const CELL_PADDING_PX = 17;

/** The width in px of a column that fits its longest text, within least..most. */
export const widthOfTexts = (texts: string[], least: number, most: number) =>
  Math.ceil(
    Math.min(
      Math.max(least, ...[...new Set(texts)].map(text => textWidth(text, NAME_FONT_PX) + CELL_PADDING_PX)),
      most,
    ),
  );
