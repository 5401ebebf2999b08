import { lazyFormat } from './lazy-format';
import { uiLocale } from './ui-texts';

/** A message that the build or the tests have compiled: texts, and values as `[name, format, style]`. */
export type CompiledMessage = string | readonly (string | CompiledValue)[];
type CompiledValue = readonly [name: string, format?: string, style?: unknown];
export type MessageValues = Readonly<Record<string, string | number>>;

/**
 * Inserts values into a compiled message; plurals and numbers are formatted by `Intl`. Lingui's own runtime is 3.7 KB, for catalogs that
 * change while the page is open.
 */
export const formatMessage = (message: CompiledMessage, values: MessageValues, count?: number): string =>
  typeof message === 'string'
    ? message
    : message
        .map((part) =>
          part === '#' && count !== undefined ? formatNumber(count) : typeof part === 'string' ? part : formatValue(part, values),
        )
        .join('');

// A chart has 200 messages with a count.
const plurals = lazyFormat(() => new Intl.PluralRules(uiLocale()));
const wholeNumbers = lazyFormat(() => new Intl.NumberFormat(uiLocale()));
const formatNumber = (value: number, style?: Intl.NumberFormatOptions) =>
  (style ? new Intl.NumberFormat(uiLocale(), style) : wholeNumbers()).format(value);

function formatValue([name, format, style]: CompiledValue, values: MessageValues): string {
  const value = values[name] ?? '';
  if (format === 'number') return formatNumber(Number(value), style as Intl.NumberFormatOptions);
  const choices = style as Record<string, CompiledMessage>;
  if (format === 'plural') {
    const count = Number(value);
    const choice = choices[count] ?? choices[plurals().select(count)] ?? choices.other!;
    return formatMessage(choice, values, count);
  }
  if (format === 'select') return formatMessage(choices[value] ?? choices.other!, values);
  return String(value);
}
