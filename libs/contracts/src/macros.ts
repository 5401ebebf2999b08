import * as z from 'zod';
import { ChangesWithComment } from './comments';
import { operation } from './define';
import { Id, requiredText, text, Timestamp } from './scalars';
import { CustomerLanguage } from './tickets';
import { macroLimits, unknownVariables } from './values/macros';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

/** A canned reply with `{{variables}}`, changes to the ticket that are made with it, or both. */
export const Macro = z.object({
  id: Id,
  name: z.string(),
  /** Inserted into the reply; empty for a macro that only changes the ticket. */
  content: z.string(),
  /** The text in other languages, for tickets in them. */
  translations: z.partialRecord(CustomerLanguage, z.string()).default({}),
  is_internal: z.boolean(),
  changes: ChangesWithComment,
  is_shared: z.boolean(),
  owner_id: Id,
  updated_at: Timestamp,
});
export type Macro = z.infer<typeof Macro>;

// Otherwise tickets in all other languages would have no text.
export const withoutContent = { path: ['content'], message: 'Enter the text for all other languages' };

const name = requiredText(macroLimits.name, 'Give it a name');
const content = text(ticketLimits.comment).refine(
  (value) => unknownVariables(value).length === 0,
  'Contains an unknown variable; the list next to the text shows all of them',
);
/** A blank text removes the translation. */
const translations = z
  .partialRecord(CustomerLanguage, content)
  .transform((texts): Macro['translations'] => Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')));
const fields = { name, content, translations, is_internal: z.boolean(), changes: ChangesWithComment, is_shared: z.boolean() };
export const CreateMacro = z
  .strictObject({
    ...fields,
    content: content.default(''),
    translations: translations.default({}),
    is_internal: fields.is_internal.default(false),
    changes: fields.changes.default({}),
    is_shared: fields.is_shared.default(false),
  })
  .refine((macro) => macro.content !== '' || Object.keys(macro.changes).length > 0, {
    path: ['content'],
    message: 'Enter text or choose changes',
  })
  .refine((macro) => macro.content !== '' || Object.keys(macro.translations).length === 0, withoutContent);
export type CreateMacro = z.infer<typeof CreateMacro>;
export const UpdateMacro = z.strictObject(fields).partial();
export type UpdateMacro = z.infer<typeof UpdateMacro>;
const byId = { params: z.object({ id: Id }) };

export const listMacros = operation({
  name: 'tickets.listMacros',
  summary: 'List your own canned replies and macros and shared ones, by name.',
  owner,
  method: 'GET',
  path: '/macros',
  allow: 'ticket.read',
  output: z.array(Macro),
});
export const createMacro = operation({
  name: 'tickets.createMacro',
  summary: 'Create a canned reply or macro, private or shared.',
  owner,
  method: 'POST',
  path: '/macros',
  allow: 'ticket.write',
  status: 201,
  idempotent: true,
  input: { body: CreateMacro },
  output: Macro,
  problems: ['macro.too_many', 'assignee.not_a_member'],
});
export const updateMacro = operation({
  name: 'tickets.updateMacro',
  summary: 'Change your own canned reply or macro; managers and admins can also change shared ones.',
  owner,
  method: 'PATCH',
  path: '/macros/:id',
  allow: 'ticket.write',
  input: { ...byId, body: UpdateMacro },
  output: Macro,
  problems: ['macro.not_found', 'macro.too_many', 'permission.denied', 'assignee.not_a_member'],
});
export const deleteMacro = operation({
  name: 'tickets.deleteMacro',
  summary: 'Remove a canned reply or macro. Requires the same permission as changing it.',
  owner,
  method: 'DELETE',
  path: '/macros/:id',
  allow: 'ticket.write',
  input: byId,
  output: z.object({}),
  problems: ['macro.not_found', 'permission.denied'],
});
