import type { CustomField } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import { activeStates, updateLinks } from '../engine/link-state';
import { dueNow } from '../engine/link-values';
import type { CustomFieldDefinition, IntegrationsTx } from '../schema';

/** The organization's custom fields in their order. */
export const findDefinitions = (tx: IntegrationsTx): Promise<CustomFieldDefinition[]> =>
  tx
    .selectFrom('custom_fields')
    .select(['key', 'type', 'label', 'options'])
    .where('organization_id', '=', currentOrganizationId)
    .where('is_deleted', '=', false)
    .orderBy('position')
    .execute();

/**
 * Saves the newest state of a field; an older event changes nothing. True if tasks may now get other values: the field is new, or its label
 * or options changed.
 */
export async function saveDefinition(
  tx: IntegrationsTx,
  organization_id: string,
  { id, key, type, label, options, position }: CustomField,
  { sequence, is_deleted }: { sequence: number; is_deleted: boolean },
): Promise<boolean> {
  const state = { sequence, key, type, label, options: JSON.stringify(options), position, is_deleted };
  const before = await tx
    .selectFrom('custom_fields')
    .select(['label', 'options', 'is_deleted'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const saved = await tx
    .insertInto('custom_fields')
    .values({ organization_id, id, ...state })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'id'])
        .doUpdateSet(state)
        .where(sql<SqlBool>`custom_fields.sequence < excluded.sequence`),
    )
    .returning(['label', 'options', 'is_deleted'])
    .executeTakeFirst();
  return saved !== undefined && !saved.is_deleted && JSON.stringify(before) !== JSON.stringify(saved);
}

/** Makes the links of tickets with a value of this field due, after all other work. Returns their connections. */
export async function markLinksWithValueDue(tx: IntegrationsTx, organization_id: string, key: string): Promise<string[]> {
  const marked = await updateLinks(tx)
    .set(dueNow(3))
    .where('organization_id', '=', organization_id)
    .where('state', 'in', activeStates)
    .where((eb) =>
      eb(
        'ticket_id',
        'in',
        eb
          .selectFrom('ticket_copies')
          .select('ticket_copies.ticket_id')
          .where('ticket_copies.organization_id', '=', organization_id)
          .where(sql<SqlBool>`ticket_copies.custom_fields ? ${key}`),
      ),
    )
    .returning('connection_id')
    .execute();
  return [...new Set(marked.map(({ connection_id }) => connection_id))];
}
