import { customFieldLimits, type CustomField } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { CustomFieldRow, TicketsTx } from '../schema';

const columns = [
  'id',
  'key',
  'type',
  'label',
  'hint',
  'options',
  'categories',
  'form',
  'shown_to_customers',
  'set_by_widget',
  'required_to_resolve',
  'translations',
  'position',
  'deleted_at',
  'updated_at',
] as const satisfies readonly (keyof CustomFieldRow)[];

/** The fields in their order, then the deleted ones, the latest first. */
export const findCustomFields = (tx: TicketsTx): Promise<CustomField[]> =>
  tx
    .selectFrom('custom_fields')
    .select(columns)
    .orderBy(sql`deleted_at desc nulls first`)
    .orderBy('position')
    .execute();

/** The fields that are not deleted, in their order. */
export const findActiveFields = (tx: TicketsTx): Promise<CustomField[]> =>
  tx.selectFrom('custom_fields').select(columns).where('deleted_at', 'is', null).orderBy('position').execute();

/** Serializes changes to the fields of an organization until the transaction ends. */
export const lockCustomFields = (tx: TicketsTx, organization_id: string): Promise<void> => lockName(tx, `custom-fields ${organization_id}`);

export const findCustomField = (tx: TicketsTx, id: string): Promise<CustomField | undefined> =>
  tx.selectFrom('custom_fields').select(columns).where('id', '=', id).executeTakeFirst();

const asJson = ({ options, translations }: Pick<CustomField, 'options' | 'translations'>) => ({
  options: JSON.stringify(options),
  translations: JSON.stringify(translations),
});

export async function insertCustomField(tx: TicketsTx, organization_id: string, field: CustomField): Promise<void> {
  await tx
    .insertInto('custom_fields')
    .values({ ...field, organization_id, ...asJson(field) })
    .execute();
}

export async function saveCustomField(tx: TicketsTx, { id, ...field }: CustomField): Promise<void> {
  await tx
    .updateTable('custom_fields')
    .set({ ...field, ...asJson(field) })
    .where('id', '=', id)
    .execute();
}

/** Closes the gap that a deleted field leaves in the order. */
export async function moveUpAfter(tx: TicketsTx, position: number): Promise<void> {
  await tx
    .updateTable('custom_fields')
    .set((eb) => ({ position: eb('position', '-', 1) }))
    .where('position', '>', position)
    .execute();
}

export async function saveFieldOrder(tx: TicketsTx, organization_id: string, ids: string[]): Promise<void> {
  await sql`
    update custom_fields set position = wanted.position from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
    where custom_fields.organization_id = ${organization_id} and custom_fields.id = wanted.id`.execute(tx);
}

// ---- values of deleted fields -----------------------------------------------------------------------------------

export const findExpiredFieldsAcrossOrganizations = (tx: TicketsTx) =>
  tx
    .selectFrom('custom_fields')
    .select(['organization_id', 'id'])
    .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${customFieldLimits.daysToRestore})`)
    .orderBy('deleted_at')
    .limit(500)
    .execute();

/** Locks the field if it can no longer be restored. */
export const findExpiredFieldForUpdate = (tx: TicketsTx, id: string) =>
  tx
    .selectFrom('custom_fields')
    .select('key')
    .where('id', '=', id)
    .where('deleted_at', '<', sql<string>`now() - make_interval(days => ${customFieldLimits.daysToRestore})`)
    .forUpdate()
    .executeTakeFirst();

/** Removes the values of a field from at most `limit` tickets, without a new version of these. Returns their number. */
export async function removeValues(tx: TicketsTx, key: string, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update tickets set custom_fields = custom_fields - ${key}
    where id = any(array(
      select t.id from tickets t
      where t.id = any(array(select distinct ticket_id from ticket_field_values where key = ${key} limit ${limit})) order by t.id for update))
    returning id`.execute(tx);
  return rows.length;
}

export async function deleteCustomFieldRow(tx: TicketsTx, id: string): Promise<void> {
  await tx.deleteFrom('custom_fields').where('id', '=', id).execute();
}
