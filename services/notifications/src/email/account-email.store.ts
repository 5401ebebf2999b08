import { anyOf, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

/** An email that could not be sent for this long is not about anything that its recipient can still use. */
const unsentHours = 12;

export async function findMemberAddresses(tx: Tx<NotificationsSchema>, organization_id: string): Promise<string[]> {
  const members = await tx.selectFrom('members').select('email').where('organization_id', '=', organization_id).execute();
  return members.map(({ email }) => email);
}

/**
 * Deletes emails about accounts of a deleted organization: those to the addresses of its members, and those about the deletion. The email
 * that reports that it is complete stays until it is sent. Returns the number of deleted emails, at most `limit`.
 */
export async function deleteAccountEmails(
  tx: Tx<NotificationsSchema>,
  organization_id: string,
  addresses: readonly string[],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from account_emails where id = any(array(
        select id from account_emails
        where (to_address = ${anyOf('text', addresses)} or data #>> '{deletion,organization_id}' = ${organization_id})
          and not (
            data ->> 'what' is not distinct from 'deleted' and state in ('pending', 'sending')
            and created_at > now() - make_interval(hours => ${unsentHours})
          )
        limit ${limit}
      )) returning id
    )
    select count(*)::integer as count from gone`.execute(tx);
  return rows[0]!.count;
}
