// The colour ramp of all maps.
import { NEAR_OPACITY } from '../protocol';
import type { Palette } from './palette';

/** A colour as an ImageData holds it, read as 32 bits. */
export type Packed = number;

const channels = (hex: string) =>
  [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
const pack = ([red, green, blue]: readonly number[], opacity = 1): Packed =>
  ((Math.round(255 * opacity) << 24) | (blue! << 16) | (green! << 8) | red!) >>> 0;

/** A colour of the stylesheet (#rrggbb), packed. */
export const packed = (hex: string, opacity = 1): Packed => pack(channels(hex), opacity);

const css = (colour: Packed) =>
  `#${[0, 8, 16].map(shift => ((colour >> shift) & 255).toString(16).padStart(2, '0')).join('')}`;

/** The ramp as CSS colours. */
export function rampColour(palette: Palette): (part: number) => string {
  const ramp = rampOf(palette);
  return part => css(ramp(part));
}

/** The colour of an operation near its bound; `.near` in style.css does the same for HTML. */
export const paleColour = ({ pale }: Palette, colour: string) => mixed(colour, pale, NEAR_OPACITY);

/** `share` of a colour on a ground, both #rrggbb. */
function mixed(colour: string, ground: string, share: number): string {
  const below = channels(ground);
  return css(pack(channels(colour).map((channel, c) => Math.round(below[c]! + (channel - below[c]!) * share))));
}

/** The ramp as a function of 0..1. Its stops are evenly spaced in lightness, so colour-blind readers can read it. */
export function rampOf({ ramp }: Palette): (part: number) => Packed {
  const stops = ramp.map(channels);
  return part => {
    const at = Math.max(0, Math.min(1, part)) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(at));
    return pack(stops[i]!.map((channel, c) => Math.round(channel + (stops[i + 1]![c]! - channel) * (at - i))));
  };
}
