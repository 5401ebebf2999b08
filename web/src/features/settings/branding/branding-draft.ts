import type { Branding } from '@tandem/contracts';
import { useState } from 'react';
import { onParting } from '../../../lib/parting';

/** What the form changes. */
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
>;

export interface PartProps {
  draft: Draft;
  set: (changes: Partial<Draft>) => void;
  /** What the server said of a field, in the moment of saving. */
  errorOf: (name: string) => string | undefined;
}

/** What was touched and is not saved: it is still there after a look at another tab, and gone with the session. */
let begun: Partial<Draft> = {};
onParting({ finish: () => undefined, drop: () => void (begun = {}) });

export function useTouched() {
  const [touched, setTouched] = useState(begun);
  const become = (now: Partial<Draft>) => {
    begun = now;
    setTouched(now);
  };
  // Joins what is begun now: a picture arrives after the words that were typed meanwhile.
  return { touched, touch: (changed: Partial<Draft>) => become({ ...begun, ...changed }), clear: () => become({}) };
}

/** What was touched and differs from what is saved. */
export function changesOf(saved: Draft, touched: Partial<Draft>): Partial<Draft> {
  const differs = ([name, value]: [string, unknown]) => value !== saved[name as keyof Draft];
  return Object.fromEntries(Object.entries(touched).filter(differs));
}

/** The texts of which the server has kept less than was sent. */
export const shortened = (sent: Partial<Draft>, kept: Draft): boolean =>
  (['email_template_header', 'email_template_footer'] as const).some(
    (name) => sent[name] !== undefined && wordsOf(kept[name]) !== wordsOf(sent[name]),
  );
/** Spelling aside: blanks, quotes and closing tags are written anew. */
const wordsOf = (html: string): string => html.toLowerCase().replace(/&[a-z]+;|[^a-z0-9]/g, '');
