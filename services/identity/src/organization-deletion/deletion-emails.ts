import { accountChanged, type Context, type DataOf } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { salutationName } from '../account/account';
import type { IdentityTables } from '../schema';
import { findRecipients, findUserName, type DeletionRequest } from './organization-deletion.store';

type DeletionNews = Extract<DataOf<typeof accountChanged>['what'], `deletion_${string}` | 'deleted'>;

/**
 * Requests the emails about a deletion, in the transaction that causes them. They belong to the accounts, not to the organization: emails of
 * the organization would be deleted with it.
 *
 * @param actor_id the admin who requested or cancelled the deletion; the email shows their name
 */
export async function announceDeletion(
  tx: Tx<IdentityTables>,
  ctx: Context,
  what: DeletionNews,
  { id, name, deletion_at, deletion_requested_at }: DeletionRequest,
  actor_id: string | null,
): Promise<void> {
  if (deletion_at === null || deletion_requested_at === null) throw new Error('No deletion of this organization is requested');
  const actor_name = await findUserName(tx, actor_id);
  const deletion = {
    organization_id: id,
    organization_name: name,
    actor_name,
    requested_at: deletion_requested_at,
    delete_at: deletion_at,
  };
  for (const { user_id, email, first_name } of await findRecipients(tx, id, what === 'deleted' ? 'members' : 'admins')) {
    const data = { user_id, email, first_name: salutationName(first_name), what, deletion };
    await emit(tx, { ...ctx, organization_id: null }, accountChanged, user_id, data);
  }
}
