import type { Branding } from '@tandem/contracts';
import { createExternalStore } from '../../../lib/external-store';
import { t } from '../../../lib/staff-texts';

/** The fields of the form. */
export type Draft = Pick<
  Branding,
  | 'primary_color'
  | 'secondary_color'
  | 'logo_url'
  | 'favicon_url'
  | 'custom_css'
  | 'hide_powered_by'
  | 'email_template_header'
  | 'email_template_footer'
  | 'email_templates'
>;

export interface PartProps {
  draft: Draft;
  set: (changes: Partial<Draft>) => void;
  /** The server's error about a field from saving. */
  errorOf: (name: string) => string | undefined;
}

/** Unsaved changes. They survive switching tabs. */
const unsaved = createExternalStore<Partial<Draft>>(() => ({}));

export function useTouched() {
  return {
    touched: unsaved.use(),
    // Merge into the latest draft: an upload may finish after the user has typed something else.
    touch: (changed: Partial<Draft>) => unsaved.set({ ...unsaved.get(), ...changed }),
    clear: () => unsaved.set({}),
    /** Drops these saved values from the draft. Changes made during the request are not saved yet. */
    dropSaved: (saved: Partial<Draft>) =>
      unsaved.set(Object.fromEntries(Object.entries(unsaved.get()).filter(([name, value]) => value !== saved[name as keyof Draft]))),
  };
}

/** The changed fields whose values differ from the saved ones. */
export function changesOf(saved: Draft, touched: Partial<Draft>): Partial<Draft> {
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Draft]);
  return Object.fromEntries(Object.entries(touched).filter(differs));
}

/** The labels of the form. */
const names: Record<keyof Draft, string> = {
  primary_color: t('settings.branding.primary_color'),
  secondary_color: t('settings.branding.secondary_color'),
  logo_url: t('settings.branding.logo'),
  favicon_url: t('settings.branding.icon'),
  custom_css: t('settings.branding.custom_css'),
  hide_powered_by: t('settings.branding.powered_by_tandem_field'),
  email_template_header: t('settings.branding.email_header'),
  email_template_footer: t('settings.branding.email_footer'),
  email_templates: t('settings.branding.email_texts_in_other_languages'),
};
export const changedNames = (changes: Partial<Draft>): string[] => Object.keys(changes).map((name) => names[name as keyof Draft]);

/** Whether the server removed text from a template. */
export const shortened = (sent: Partial<Draft>, kept: Draft): boolean =>
  (['email_template_header', 'email_template_footer'] as const).some(
    (name) => sent[name] !== undefined && wordsOf(kept[name]) !== wordsOf(sent[name]),
  );
/** Ignores formatting: the server normalizes spaces, quotes and closing tags. */
const wordsOf = (html: string): string => html.toLowerCase().replace(/&[a-z]+;|[^a-z0-9]/g, '');
