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

/** Light or dark as the snippet sets it; otherwise the system's scheme until the organization's setting has loaded. */
export function watchScheme(wanted: WidgetTheme | undefined): void {
  theme = wanted ?? 'auto';
  apply();
  system().addEventListener('change', apply);
}

export function applyTheme(brand: BrandColors, wanted: WidgetTheme): void {
  colors = brand;
  theme = wanted;
  apply();
}
