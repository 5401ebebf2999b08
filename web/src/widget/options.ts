import {
  buttonColors,
  widgetDefaults,
  widgetPositions,
  widgetThemes,
  type WidgetPosition,
  type WidgetTheme,
} from '@tandem/contracts/values';

/** What a site says about its widget, checked: what is wrong counts as left out, so that a slip of the pen never costs the launcher. */
export interface WidgetOptions {
  organization: string;
  /** Left out: the one of the organization's settings, which only the frame knows. */
  theme: WidgetTheme | undefined;
  position: WidgetPosition;
  triggerText: string;
  /** Left out: the organization's own, which only the frame knows. */
  primary: string | undefined;
  secondary: string | undefined;
  placeholderSubject: string | undefined;
  placeholderMessage: string | undefined;
}

/** Longest accepted texts of the attributes, in UTF-16 units. */
const limits = { organization: 100, triggerText: 40, placeholder: 200 };

const oneOf = <Word extends string>(words: readonly Word[], said: string | undefined): Word | undefined =>
  words.find((word) => word === said?.trim().toLowerCase());
const textOf = (said: string | undefined, max: number): string | undefined => said?.trim().slice(0, max) || undefined;
/** One of six hex digits, by the rule that colours are computed with. */
export const colorOf = (said: string | null | undefined): string | undefined =>
  said && buttonColors(said.trim(), 'light') ? said.trim() : undefined;

/** From the script tag's `data-` attributes; undefined without the one that is required. `data-api-key` of older samples means nothing. */
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
  };
}

/**
 * The frame's address. All but the organization stand behind the `#`: the server needs none of it, and neither do its logs. `host` is the
 * one origin that the frame speaks with.
 */
export function frameAddress(origin: string, options: WidgetOptions, host: string): string {
  const said: Record<string, string | undefined> = {
    host,
    theme: options.theme,
    primary: options.primary,
    secondary: options.secondary,
    subject: options.placeholderSubject,
    message: options.placeholderMessage,
  };
  const hash = new URLSearchParams();
  for (const name in said) if (said[name]) hash.set(name, said[name]);
  return `${origin}/widget/frame?organization=${encodeURIComponent(options.organization)}#${hash.toString()}`;
}
