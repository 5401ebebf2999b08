import { widgetThemes, type CustomFieldValues, type WidgetTheme } from '@tandem/contracts/values';
import { colorOf } from '../options';
import { checkedFields } from './host';

/** The loader's parameters from the frame address. Anyone can craft such an address, so they are validated again. */
export interface Parameters {
  organization: string;
  /** The only origin that messages are exchanged with; undefined if the page was opened directly. */
  host: string | undefined;
  /** Undefined if the snippet sets none: then the organization's setting applies. */
  theme: WidgetTheme | undefined;
  primary: string | undefined;
  secondary: string | undefined;
  placeholderSubject: string | undefined;
  placeholderMessage: string | undefined;
  /** The language that the site sets; otherwise the visitor's. */
  lang: string | undefined;
  /** Values of custom fields that the site sets. */
  customFields: CustomFieldValues;
}

const originOf = (values: string | null): string | undefined => (values && /^https?:\/\/[^/\s]+$/.test(values) ? values : undefined);

/** `fieldOrderNumber`, which is `data-field-order-number` in the script tag, sets `order_number`. */
function readCustomFields(values: URLSearchParams): CustomFieldValues {
  const fields = [...values].filter(([name]) => /^field[A-Z]/.test(name));
  const keyOf = (name: string) =>
    name
      .slice('field'.length)
      .replace(/-|\B(?=[A-Z])/g, '_')
      .toLowerCase();
  return checkedFields(Object.fromEntries(fields.map(([name, value]) => [keyOf(name), value])));
}

export function readParameters({ search, hash }: Pick<Location, 'search' | 'hash'>): Parameters {
  const values = new URLSearchParams(hash.slice(1));
  return {
    organization: new URLSearchParams(search).get('organization') ?? '',
    host: originOf(values.get('host')),
    theme: widgetThemes.find((theme) => theme === values.get('theme')),
    primary: colorOf(values.get('primary')),
    secondary: colorOf(values.get('secondary')),
    placeholderSubject: values.get('subject')?.slice(0, 200) || undefined,
    lang: values.get('lang')?.slice(0, 20) || undefined,
    placeholderMessage: values.get('message')?.slice(0, 200) || undefined,
    customFields: readCustomFields(values),
  };
}
