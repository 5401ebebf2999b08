import type { Language } from '@tandem/contracts/values';
import type email from '../catalogs/email/en.json';
import type portal from '../catalogs/portal/en.json';
import type survey from '../catalogs/survey/en.json';
import type widget from '../catalogs/widget/en.json';

/** Everything that customers read, by where it is shown. Each part has one catalog per language. */
export const parts = ['portal', 'survey', 'widget', 'email'] as const;
export type Part = (typeof parts)[number];

interface Sources {
  portal: typeof portal;
  survey: typeof survey;
  widget: typeof widget;
  email: typeof email;
}
/** The keys of a part, from its English catalog. */
export type TextKey<P extends Part = Part> = P extends Part ? keyof Sources[P] & string : never;

/** ICU messages by key. */
export type Catalog = Readonly<Record<string, string>>;
/** Texts of an organization that replace those of a catalog. */
export type Wording = Readonly<Record<string, string>>;

export type Values = Readonly<Record<string, string | number | Date>>;

export interface Translate<Key extends string = string> {
  (key: Key, values?: Values): string;
  readonly language: Language;
}
