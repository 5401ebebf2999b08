import { brandVariables, type BrandColors, type WidgetTheme } from '@tandem/contracts/values';

const system = () => matchMedia('(prefers-color-scheme: dark)');
let colors: BrandColors | undefined;
let theme: WidgetTheme = 'auto';

function apply(): void {
  const scheme = theme === 'dark' || (theme === 'auto' && system().matches) ? 'dark' : 'light';
  const page = document.documentElement;
  page.dataset.theme = scheme;
  const variables = colors && brandVariables(colors, scheme);
  for (const [name, value] of Object.entries(variables ?? {})) page.style.setProperty(name, value);
}

/** Light or dark as the site wants it, or as the system is. */
export function watchScheme(wanted: WidgetTheme): void {
  theme = wanted;
  apply();
  system().addEventListener('change', apply);
}

export function wear(brand: BrandColors): void {
  colors = brand;
  apply();
}
