import type { Language, TextPart } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import type { IdentityTables, WordingTable } from '../schema';

type IdentityTx = Tx<IdentityTables>;
export type WordingRow = Selectable<WordingTable>;

/** Whether the organization of the query's row has custom wording. */
export const hasWording = sql<boolean>`exists (select from wording where wording.organization_id = organizations.id)`.as('has_wording');

export const findWording = (
  tx: IdentityTx,
  organization_id: string,
  { part, language }: { part?: TextPart; language: Language },
): Promise<WordingRow[]> =>
  tx
    .selectFrom('wording')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('language', '=', language)
    .$if(part !== undefined, (query) => query.where('part', '=', part!))
    .orderBy('key')
    .execute();

export const findText = (
  tx: IdentityTx,
  organization_id: string,
  { part, language, key }: Pick<WordingRow, 'part' | 'language' | 'key'>,
): Promise<WordingRow | undefined> =>
  tx
    .selectFrom('wording')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('part', '=', part)
    .where('language', '=', language)
    .where('key', '=', key)
    .executeTakeFirst();

export const saveText = (tx: IdentityTx, row: Omit<WordingRow, 'updated_at'>): Promise<WordingRow> =>
  tx
    .insertInto('wording')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'part', 'language', 'key'])
        .doUpdateSet({ text: row.text, original_hash: row.original_hash, updated_at: sql<string>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteText(tx: IdentityTx, { organization_id, part, language, key }: WordingRow): Promise<void> {
  await tx
    .deleteFrom('wording')
    .where('organization_id', '=', organization_id)
    .where('part', '=', part)
    .where('language', '=', language)
    .where('key', '=', key)
    .execute();
}
