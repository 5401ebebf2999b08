import {
  lightButtonColors,
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
  /** Values of custom fields, by the names of their attributes in the dataset. The frame knows their keys (parameters.ts). */
  customFields: Record<string, string | undefined>;
}

/** Maximum length of the attributes, in UTF-16 units. */
const maxOrganization = 100;
const maxTriggerText = 40;
const maxPlaceholder = 200;

const oneOf = <Word extends string>(words: readonly Word[], value: string | undefined): Word | undefined =>
  words.find((word) => word === value?.trim().toLowerCase());
const textOf = (value: string | undefined, max: number): string | undefined => value?.trim().slice(0, max) || undefined;
/** Accepts a color of six hex digits, checked by the same function that computes the button colors. */
export const colorOf = (value: string | null | undefined): string | undefined =>
  value && lightButtonColors(value.trim()) ? value.trim() : undefined;

/** Reads the script tag's `data-` attributes; undefined without the required one. `data-api-key` of older samples is ignored. */
export function readOptions(data: DOMStringMap): WidgetOptions | undefined {
  const organization = textOf(data.organization, maxOrganization);
  if (!organization) return undefined;
  return {
    organization,
    theme: oneOf(widgetThemes, data.theme),
    position: oneOf(widgetPositions, data.position) ?? widgetDefaults.position,
    triggerText: textOf(data.triggerText, maxTriggerText) ?? widgetDefaults.trigger_text,
    primary: colorOf(data.colorPrimary),
    secondary: colorOf(data.colorSecondary),
    placeholderSubject: textOf(data.placeholderSubject, maxPlaceholder),
    placeholderMessage: textOf(data.placeholderMessage, maxPlaceholder),
    lang: data.lang?.trim(),
    customFields: Object.fromEntries(Object.entries(data).filter(([name]) => /^field[A-Z]/.test(name))),
  };
}

/**
 * Address of the frame. All options but the organization are in the `#` fragment: the server does not need them, and they stay out of its
 * logs. `host` is the only origin that the frame exchanges messages with.
 */
export function frameAddress(origin: string, options: WidgetOptions, host: string): string {
  const { organization, theme, primary, secondary, placeholderSubject: subject, placeholderMessage: message, lang, customFields } = options;
  const hash = new URLSearchParams({ host });
  for (const [name, value] of Object.entries({ theme, primary, secondary, subject, message, lang, ...customFields }))
    if (value) hash.set(name, value);
  return `${origin}/widget/frame?organization=${encodeURIComponent(organization)}#${hash.toString()}`;
}
