import { brandingDefaults } from './customers';
import { brandVariables, buttonColors, contrastOf, lightButtonColors, type BrandScheme } from './brand-colors';

/** The backgrounds of text and controls, and the text colors used on the soft background (styles.css, as sRGB). */
const grounds = {
  light: { text: ['#ffffff', '#f8fafb', '#f0f4f5', '#eaeef0'], on: { ink: '#1a2125', muted: '#4c575c' } },
  dark: { text: ['#0d1113', '#13171a', '#1a2023', '#1e2427'], on: { ink: '#e5eaec', muted: '#a4acb0' } },
};
/** Every 51st step of each channel, and difficult colors: medium gray, very light, very dark, and the defaults. */
const steps = [0, 51, 102, 153, 204, 255];
const hex = (...parts: number[]) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
const colors = [
  ...steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => hex(r, g, b)))),
  '#777777',
  '#949494',
  '#767676',
  '#010101',
  '#fefefe',
  '#FFD400',
  brandingDefaults.primary_color,
  brandingDefaults.secondary_color,
];
const all = (scheme: BrandScheme) =>
  colors.map((color, index) => {
    const secondary_color = colors[(index * 7 + 3) % colors.length]!;
    return { color, variables: brandVariables({ primary_color: color, secondary_color }, scheme)! };
  });

it('computes the contrast of two colors', () => {
  expect(contrastOf('#000000', '#FFFFFF')).toBeCloseTo(21, 5);
  expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2);
  expect(contrastOf('#3B82F6', '#3b82f6')).toBe(1);
});

it.each(['light', 'dark'] as const)('keeps every text readable and every focus ring visible for all brand colors (%s)', (scheme) => {
  const { text, on } = grounds[scheme];
  for (const { color, variables } of all(scheme)) {
    const least = (name: string, against: string[], wanted: number) => {
      const ratio = Math.min(...against.map((ground) => contrastOf(variables[`--${name}`]!, ground)));
      expect({ color, name, ratio, isEnough: ratio >= wanted }).toMatchObject({ isEnough: true });
    };
    least('accent-text', [...text, variables['--accent-soft']!], 4.5);
    least('accent-ink', [variables['--accent']!, variables['--accent-hover']!], 4.5);
    least('accent-soft', [on.ink, on.muted], 4.5);
    least('focus', [...text, variables['--accent-soft']!], 3);
    least('accent', [text[0]!], 1.3);
  }
});

it('does not change a readable color', () => {
  const light = brandVariables({ primary_color: '#1D4ED8', secondary_color: '#7C3AED' }, 'light')!;
  expect(light).toMatchObject({ '--accent': '#1d4ed8', '--accent-ink': '#ffffff', '--accent-text': '#1d4ed8', '--focus': '#7c3aed' });
});

it('uses dark text on light colors and white text on dark ones', () => {
  const inkOn = (primary_color: string, scheme: BrandScheme) =>
    brandVariables({ primary_color, secondary_color: '#8B5CF6' }, scheme)!['--accent-ink'];
  expect(inkOn('#FFD400', 'light')).toBe('#111417');
  expect(inkOn('#3B82F6', 'light')).toBe('#ffffff');
  expect(inkOn('#3B82F6', 'dark')).toBe('#ffffff');
});

it('gives a button on any site the colors of the light scheme', () => {
  for (const color of colors) expect(lightButtonColors(color)).toEqual(buttonColors(color, 'light'));
});

it('falls back to the product’s colors if one is invalid', () => {
  expect(brandVariables({ primary_color: 'red', secondary_color: '#8B5CF6' }, 'light')).toBeUndefined();
  expect(lightButtonColors('red')).toBeUndefined();
});
