/**
 * Derives the color tokens of an organization's public pages from its two brand colors. Any color can be chosen, so the colors of text on
 * it or in it are computed: 4.5:1 for text, 3:1 for other visible elements (WCAG 2.2 AA, 1.4.3 and 1.4.11), in light and dark.
 */

export interface BrandColors {
  primary_color: string;
  secondary_color: string;
}
export type BrandScheme = 'light' | 'dark';

type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
/** Softer than black, with almost the same contrast. */
const nearBlack: Rgb = [17, 20, 23];
/** The scheme's surface, and the background on which colored text has the least contrast (styles.css). */
const grounds: Record<BrandScheme, { surface: Rgb; hardest: Rgb; towards: Rgb; soft: number; line: number }> = {
  light: { surface: white, hardest: [233, 238, 240], towards: nearBlack, soft: 0.08, line: 0.35 },
  dark: { surface: [19, 23, 25], hardest: [34, 40, 43], towards: white, soft: 0.16, line: 0.45 },
};

const textContrast = 4.5;
const shapeContrast = 3;
/** A button is identified by its text, so its area needs less contrast. */
const areaContrast = 1.5;

function parse(color: string): Rgb | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined;
  const part = (from: number) => parseInt(color.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}
const toHex = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
/** Mixes two colors; the parts are whole numbers. */
const mix = ([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb => [
  Math.round(r + (toR - r) * share),
  Math.round(g + (toG - g) * share),
  Math.round(b + (toB - b) * share),
];

const linear = (part: number): number => (part <= 10.3 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
function ratio(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The contrast ratio of two colors as defined by WCAG: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [first, second] = [parse(one), parse(other)];
  return first && second ? ratio(first, second) : 1;
}

/** The color itself if its contrast to all of `against` suffices; otherwise the nearest mix with `towards` whose contrast does. */
function readable(color: Rgb, against: readonly Rgb[], wanted: number, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const next = mix(color, towards, share);
    if (against.every((ground) => ratio(next, ground) >= wanted)) return next;
  }
  return towards;
}

/** A button's area and the text on it. White text is expected on a strong color, so a slightly too light area is darkened for it. */
function areaOf(color: Rgb, surface: Rgb, towards: Rgb): { area: Rgb; ink: Rgb } {
  const seen = readable(color, [surface], areaContrast, towards);
  if (ratio(seen, white) < shapeContrast) return { area: seen, ink: nearBlack };
  const area = readable(seen, [white], textContrast, nearBlack);
  // In the dark scheme the area must not become too similar to the background.
  return ratio(area, surface) >= areaContrast
    ? { area, ink: white }
    : { area: readable(seen, [nearBlack], textContrast, white), ink: nearBlack };
}

interface ButtonColors {
  area: string;
  ink: string;
}
function button(color: string, surface: Rgb, towards: Rgb): ButtonColors | undefined {
  const parsed = parse(color);
  const found = parsed && areaOf(parsed, surface, towards);
  return found && { area: toHex(found.area), ink: toHex(found.ink) };
}

/** The colors of a button on a page in one of the schemes; undefined if the color is invalid. */
export const buttonColors = (color: string, scheme: BrandScheme): ButtonColors | undefined =>
  button(color, grounds[scheme].surface, grounds[scheme].towards);

/**
 * The same in the light scheme, for a button that can be on any site. Separate, because the widget's loader must not contain the colors of
 * both schemes.
 */
export const lightButtonColors = (color: string): ButtonColors | undefined => button(color, white, nearBlack);

/**
 * The CSS variables of styles.css that depend on the brand: the primary color for buttons and links, the secondary one for the
 * focus and for messages from staff. Undefined if a color is invalid: then the product's own colors apply.
 */
export function brandVariables(colors: BrandColors, scheme: BrandScheme): Record<`--${string}`, string> | undefined {
  const [primary, secondary] = [parse(colors.primary_color), parse(colors.secondary_color)];
  if (!primary || !secondary) return undefined;
  const { surface, hardest, towards, soft, line } = grounds[scheme];
  const softGround = mix(surface, secondary, soft);
  const { area, ink } = areaOf(primary, surface, towards);
  return {
    '--accent': toHex(area),
    '--accent-ink': toHex(ink),
    // Mixed away from the text color, so that the contrast increases.
    '--accent-hover': toHex(mix(area, ink === white ? nearBlack : white, 0.14)),
    '--accent-text': toHex(readable(primary, [surface, hardest, softGround], textContrast, towards)),
    '--accent-soft': toHex(softGround),
    '--accent-line': toHex(mix(surface, secondary, line)),
    '--focus': toHex(readable(secondary, [surface, hardest, softGround], shapeContrast, towards)),
  };
}
