import { widgetThemes, type WidgetTheme } from '@tandem/contracts/values';
import { colorOf } from '../options';

/** What the loader said of its site. Anybody can write an address, so it is checked again. */
export interface Parameters {
  organization: string;
  /** The one origin that is spoken with; undefined where the page was opened by itself. */
  host: string | undefined;
  /** Undefined where the snippet chooses none: the organization's setting counts. */
  theme: WidgetTheme | undefined;
  primary: string | undefined;
  secondary: string | undefined;
  placeholderSubject: string | undefined;
  placeholderMessage: string | undefined;
}

const originOf = (said: string | null): string | undefined => (said && /^https?:\/\/[^/\s]+$/.test(said) ? said : undefined);

export function readParameters({ search, hash }: Pick<Location, 'search' | 'hash'>): Parameters {
  const said = new URLSearchParams(hash.slice(1));
  return {
    organization: new URLSearchParams(search).get('organization') ?? '',
    host: originOf(said.get('host')),
    theme: widgetThemes.find((theme) => theme === said.get('theme')),
    primary: colorOf(said.get('primary')),
    secondary: colorOf(said.get('secondary')),
    placeholderSubject: said.get('subject')?.slice(0, 200) || undefined,
    placeholderMessage: said.get('message')?.slice(0, 200) || undefined,
  };
}
