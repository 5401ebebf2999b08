import type { Draft } from '@tandem/contracts';
import { sql } from 'kysely';
import type { DraftRow, TicketsTx } from '../schema';

const fields = ['content', 'is_internal', 'updated_at', 'token'] as const satisfies readonly (keyof DraftRow)[];

export const findDraft = (tx: TicketsTx, user_id: string, ticket_id: string): Promise<Draft | undefined> =>
  tx.selectFrom('drafts').select(fields).where('user_id', '=', user_id).where('ticket_id', '=', ticket_id).executeTakeFirst();

/** Each user has one draft per ticket: the new text replaces the old one, which is then the user's own. */
export function upsertDraft(tx: TicketsTx, draft: Omit<DraftRow, 'token'>): Promise<Draft> {
  const { content, is_internal, updated_at } = draft;
  return tx
    .insertInto('drafts')
    .values({ ...draft, token: null })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'ticket_id']).doUpdateSet({ content, is_internal, updated_at, token: null }),
    )
    .returning(fields)
    .executeTakeFirstOrThrow();
}

/** Saves a token's text as a user's draft. Undefined if the user has a draft that is not this token's. */
export function upsertDraftOfToken(tx: TicketsTx, draft: DraftRow & { token: NonNullable<DraftRow['token']> }): Promise<Draft | undefined> {
  const { content, is_internal, updated_at, token } = draft;
  return tx
    .insertInto('drafts')
    .values(draft)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id', 'ticket_id'])
        .doUpdateSet({ content, is_internal, updated_at, token })
        .where(sql<boolean>`drafts.token->>'id' = ${token.id}`),
    )
    .returning(fields)
    .executeTakeFirst();
}

/** With `is_internal`, removes the draft only if it is of that kind: sending a note must not remove an unfinished reply. */
export async function removeDraft(tx: TicketsTx, user_id: string, ticket_id: string, is_internal?: boolean): Promise<void> {
  await tx
    .deleteFrom('drafts')
    .where('user_id', '=', user_id)
    .where('ticket_id', '=', ticket_id)
    .$if(is_internal !== undefined, (qb) => qb.where('is_internal', '=', is_internal!))
    .execute();
}

/** Moves drafts to the target of a merge, except for users who already have a draft there. */
export async function moveDrafts(tx: TicketsTx, from_id: string, to_id: string, user_ids?: string[]): Promise<string[]> {
  const moved = await tx
    .updateTable('drafts as d')
    .set({ ticket_id: to_id })
    .where('d.ticket_id', '=', from_id)
    .where((eb) => {
      const own = eb.selectFrom('drafts as other').select('other.user_id').whereRef('other.user_id', '=', 'd.user_id');
      return eb.not(eb.exists(own.where('other.ticket_id', '=', to_id)));
    })
    .$if(user_ids !== undefined, (qb) => qb.where('d.user_id', 'in', user_ids!))
    .returning('d.user_id')
    .execute();
  return moved.map(({ user_id }) => user_id);
}
