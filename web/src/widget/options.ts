import {
  buttonColors,
  widgetDefaults,
  widgetPositions,
  widgetThemes,
  type WidgetPosition,
  type WidgetTheme,
} from '@tandem/contracts/values';

/** The site's validated widget options. Invalid values count as omitted, so that a typo never prevents the launcher from loading. */
export interface WidgetOptions {
  organization: string;
  /** If omitted, the frame uses the organization's setting. */
  theme: WidgetTheme | undefined;
  position: WidgetPosition;
  triggerText: string;
  /** If omitted, the frame uses the organization's colors. */
  primary: string | undefined;
  secondary: string | undefined;
  placeholderSubject: string | undefined;
  placeholderMessage: string | undefined;
  /** The language of the widget. If omitted, the frame uses the visitor's. */
  lang: string | undefined;
  /** Values of custom fields by their keys (`data-field-order-number` is `order_number`). */
  customFields: Record<string, string>;
}

/** Maximum length of the attributes, in UTF-16 units. */
const limits = { organization: 100, triggerText: 40, placeholder: 200 };

const oneOf = <Word extends string>(words: readonly Word[], value: string | undefined): Word | undefined =>
  words.find((word) => word === value?.trim().toLowerCase());
const textOf = (value: string | undefined, max: number): string | undefined => value?.trim().slice(0, max) || undefined;
/** Accepts a color of six hex digits, checked by the same function that computes the button colors. */
export const colorOf = (value: string | null | undefined): string | undefined =>
  value && buttonColors(value.trim(), 'light') ? value.trim() : undefined;

function readCustomFields(data: DOMStringMap): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name in data) {
    // Not `data-fieldset`.
    if (!/^field[A-Z]/.test(name)) continue;
    const words = name.slice('field'.length).replace(/\B[A-Z]/g, '_$&');
    fields[words.replace(/-/g, '_').toLowerCase()] = data[name]!;
  }
  return fields;
}

/** Reads the script tag's `data-` attributes; undefined without the required one. `data-api-key` of older samples is ignored. */
export function readOptions(data: DOMStringMap): WidgetOptions | undefined {
  const organization = textOf(data.organization, limits.organization);
  if (!organization) return undefined;
  return {
    organization,
    theme: oneOf(widgetThemes, data.theme),
    position: oneOf(widgetPositions, data.position) ?? widgetDefaults.position,
    triggerText: textOf(data.triggerText, limits.triggerText) ?? widgetDefaults.trigger_text,
    primary: colorOf(data.colorPrimary),
    secondary: colorOf(data.colorSecondary),
    placeholderSubject: textOf(data.placeholderSubject, limits.placeholder),
    placeholderMessage: textOf(data.placeholderMessage, limits.placeholder),
    lang: data.lang?.trim(),
    customFields: readCustomFields(data),
  };
}

/**
 * Address of the frame. All options but the organization are in the `#` fragment: the server does not need them, and they stay out of its
 * logs. `host` is the only origin that the frame exchanges messages with.
 */
export function frameAddress(origin: string, options: WidgetOptions, host: string): string {
  const value: Record<string, string | undefined> = {
    host,
    theme: options.theme,
    primary: options.primary,
    secondary: options.secondary,
    subject: options.placeholderSubject,
    message: options.placeholderMessage,
    lang: options.lang,
  };
  const hash = new URLSearchParams();
  for (const name in value) if (value[name]) hash.set(name, value[name]);
  for (const key in options.customFields) hash.set(`custom_fields.${key}`, options.customFields[key]!);
  return `${origin}/widget/frame?organization=${encodeURIComponent(options.organization)}#${hash.toString()}`;
}
