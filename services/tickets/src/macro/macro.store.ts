import type { Macro } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { MacroRow, TicketsTx } from '../schema';

const fields = [
  'id',
  'name',
  'content',
  'translations',
  'is_internal',
  'changes',
  'is_shared',
  'owner_id',
  'updated_at',
] as const satisfies readonly (keyof MacroRow)[];

/** Shared macros, plus the user's own if there is a user; sorted by name, ignoring case. */
export const findMacros = (tx: TicketsTx, user_id: string | null): Promise<Macro[]> =>
  tx
    .selectFrom('macros')
    .select(fields)
    .where((eb) => eb.or([eb('is_shared', '=', true), ...(user_id === null ? [] : [eb('owner_id', '=', user_id)])]))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

export const findMacroForUpdate = (tx: TicketsTx, id: string): Promise<Macro | undefined> =>
  tx.selectFrom('macros').select(fields).where('id', '=', id).forUpdate().executeTakeFirst();

/**
 * Count and total text length of an owner's macros. Locks a name per owner until the transaction ends, so that concurrent saves cannot
 * exceed the limits. Not a lock on the member's row: two members who save macros that assign to each other would deadlock there.
 */
export async function measureMacrosForUpdate(tx: TicketsTx, owner_id: string): Promise<{ count: number; characters: number }> {
  await lockName(tx, `macros of ${owner_id}`);
  return tx
    .selectFrom('macros')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(
      sql<number>`coalesce(sum(char_length(content)
        + (select coalesce(sum(char_length(value)), 0) from jsonb_each_text(translations))), 0)::int`.as('characters'),
    )
    .where('owner_id', '=', owner_id)
    .executeTakeFirstOrThrow();
}

const asJson = ({ changes, translations }: Pick<Macro, 'changes' | 'translations'>) => ({
  changes: JSON.stringify(changes),
  translations: JSON.stringify(translations),
});

export const insertMacro = (tx: TicketsTx, organization_id: string, macro: Macro): Promise<Macro> =>
  tx
    .insertInto('macros')
    .values({ ...macro, organization_id, ...asJson(macro) })
    .returning(fields)
    .executeTakeFirstOrThrow();

export const saveMacro = (tx: TicketsTx, { id, ...macro }: Macro): Promise<Macro> =>
  tx
    .updateTable('macros')
    .set({ ...macro, ...asJson(macro) })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow();

export async function removeMacro(tx: TicketsTx, id: string): Promise<void> {
  await tx.deleteFrom('macros').where('id', '=', id).execute();
}
