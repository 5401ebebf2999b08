import * as z from 'zod';
import { event, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { CustomerLanguage } from './tickets';
import { textParts, wordingLimits } from './values/languages';

const owner = 'identity';

// ---- shapes ---------------------------------------------------------------------------------------------------

const part = z.enum(textParts);
const language = CustomerLanguage;
const byText = { params: z.object({ part, language, key: z.string().max(100) }) };

/** A text that customers read, in one language. */
export const CustomerText = z.object({
  part,
  language,
  key: z.string(),
  /** The original text in English, and in this language. */
  english: z.string(),
  original: z.string(),
  /** Names of the values and tags that the text may contain: `{name}`, `<link>`. */
  placeholders: z.array(z.string()),
  /** The organization's own text; null if it uses the original one. */
  text: z.string().nullable(),
  /** Whether the original has changed since the organization's text was saved. */
  original_changed: z.boolean(),
  updated_at: Timestamp.nullable(),
});
export type CustomerText = z.infer<typeof CustomerText>;

/** The organization's own texts of one part and language, by key. */
export const PublicWording = z.object({
  /** Changes whenever the texts change. */
  version: z.string(),
  texts: z.record(z.string(), z.string()),
});
export type PublicWording = z.infer<typeof PublicWording>;

// ---- operations -----------------------------------------------------------------------------------------------

export const listWording = operation({
  name: 'identity.listWording',
  summary: 'List all texts that customers read in one language, with the organization’s own ones.',
  owner,
  method: 'GET',
  path: '/wording/:language',
  allow: 'organization.read',
  input: { params: z.object({ language }) },
  output: z.array(CustomerText),
});
export const SaveCustomerText = z.strictObject({ text: requiredText(wordingLimits.text, 'Enter text, or restore the original') });
export const previewWording = operation({
  name: 'identity.previewWording',
  summary: 'Show one text with sample values, without saving it.',
  owner,
  method: 'POST',
  path: '/wording/:part/:language/:key/preview',
  allow: 'organization.write',
  input: { ...byText, body: SaveCustomerText },
  output: z.object({ preview: z.string() }),
});
export const saveWording = operation({
  name: 'identity.saveWording',
  summary: 'Replace one text that customers read, in one language.',
  owner,
  method: 'PUT',
  path: '/wording/:part/:language/:key',
  allow: 'organization.write',
  input: { ...byText, body: SaveCustomerText },
  output: CustomerText,
});
export const deleteWording = operation({
  name: 'identity.deleteWording',
  summary: 'Restore the original of one text that customers read.',
  owner,
  method: 'DELETE',
  path: '/wording/:part/:language/:key',
  allow: 'organization.write',
  input: byText,
  output: CustomerText,
});
const publicWording = {
  owner,
  method: 'GET',
  output: PublicWording,
  etag: ({ version }: PublicWording) => version,
  problems: ['organization.not_found'],
} as const;
export const readPublicWording = operation({
  name: 'identity.readPublicWording',
  summary: 'The organization’s own texts of one part of the portal in one language.',
  path: '/public/wording/:part/:language',
  allow: 'portal',
  input: { params: z.object({ part, language }) },
  ...publicWording,
});
export const readWidgetWording = operation({
  name: 'identity.readWidgetWording',
  summary: 'The organization’s own texts of the widget in one language.',
  path: '/widget/v1/wording/:language',
  allow: 'widget',
  limit: 'widget',
  input: { params: z.object({ language }), query: z.strictObject({ organization: z.string().max(100) }) },
  ...publicWording,
});

// ---- events ---------------------------------------------------------------------------------------------------

/** `text` is null if the organization uses the original text again. Its subject is the organization. */
export const wordingChanged = event(
  'organization.wording_changed',
  owner,
  z.object({ organization_id: Id, part, language, key: z.string(), text: z.string().nullable() }),
  { live: true },
);
