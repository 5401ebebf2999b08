import type { CustomFieldRecord } from '@tandem/contracts';
import type { TicketsTx } from '../schema';
import { findActiveFields } from '../custom-field/custom-field.store';
import { readPages, teammateKey, type ExportRun, type RecordOf } from './lines';
import {
  findCannedReplies,
  findCategories,
  findMailboxes,
  findPolicies,
  findRulesInOrder,
  findTeammates,
  findViewsOfAll,
  type TeammateRow,
} from './settings-lines.store';

/** All members, by address. Their number is limited, and the ids are needed for all other records. */
export async function writeTeammates(run: Omit<ExportRun, 'teammates' | 'field_keys'>): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for await (const rows of readPages<TeammateRow>(run, 1_000, (tx, after, limit) => findTeammates(tx, after, limit))) {
    for (const { user_id, ...member } of rows) {
      places.set(user_id, places.size);
      await run.write('teammates.jsonl', { key: user_id, ...member } satisfies RecordOf<'teammate'>);
    }
  }
  return places;
}

/** Returns the keys of the fields. */
export async function writeCustomFields(run: Omit<ExportRun, 'teammates' | 'field_keys'>): Promise<Set<string>> {
  const fields = await run.db.readTenant(run.ctx, findActiveFields);
  for (const { id: _id, deleted_at: _deleted, updated_at: _updated, ...field } of fields)
    await run.write('custom_fields.jsonl', inOrder(field));
  return new Set(fields.map(({ key }) => key));
}

const inOrder = (field: CustomFieldRecord): CustomFieldRecord => ({
  key: field.key,
  type: field.type,
  label: field.label,
  hint: field.hint,
  options: field.options,
  categories: field.categories,
  form: field.form,
  shown_to_customers: field.shown_to_customers,
  set_by_widget: field.set_by_widget,
  required_to_resolve: field.required_to_resolve,
  translations: field.translations,
  position: field.position,
});

/** SLA policies, canned replies, views and rules, of all members. The numbers of all of them are limited. */
export async function writeSettings(run: ExportRun): Promise<void> {
  const { db, ctx, write } = run;
  const read = <Row>(find: (tx: TicketsTx) => Promise<Row[]>) => db.readTenant(ctx, find);
  const owned = <Row extends { owner_id: string }>({ owner_id, ...data }: Row) => ({ ...data, owner_id: teammateKey(run, owner_id) });
  for (const { id, ...data } of await read(findPolicies)) await write('sla_policies.jsonl', { key: id, data });
  for (const { id, ...data } of await read(findCannedReplies)) await write('canned_replies.jsonl', { key: id, data: owned(data) });
  for (const { id, ...data } of await read(findViewsOfAll)) await write('views.jsonl', { key: id, data: owned(data) });
  for (const { id, ...data } of await read(findRulesInOrder)) await write('rules.jsonl', { key: id, data });
  for (const { id, ...category } of await read(findCategories))
    await write('article_categories.jsonl', { key: id, ...category } satisfies RecordOf<'article_category'>);
  for (const mailbox of await read(findMailboxes)) await write('mailboxes.jsonl', mailbox);
}
