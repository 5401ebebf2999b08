import { senderDomainRules } from '@tandem/contracts/values';
import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import type { NotificationsSchema } from '../schema';
import type { SenderLookup } from './sender-record';

export type SenderTx = Tx<NotificationsSchema>;
export type SenderRow = Selectable<NotificationsSchema['sender_domains']>;
export type KeyRow = Selectable<NotificationsSchema['sender_keys']>;
/** A sender domain with its keys. */
export interface Sender extends SenderRow {
  keys: KeyRow[];
}
export type NewKey = Pick<KeyRow, 'sealed_private_key' | 'public_key'>;

export async function findSender(tx: SenderTx, organization_id: string): Promise<Sender | undefined> {
  const row = await tx.selectFrom('sender_domains').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();
  return row && { ...row, keys: await findKeys(tx, organization_id) };
}

/** Locked until the transaction ends, so that changes and checks of one domain run one at a time. */
export async function findSenderForUpdate(tx: SenderTx, organization_id: string): Promise<Sender | undefined> {
  const row = await tx
    .selectFrom('sender_domains')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .forUpdate()
    .executeTakeFirst();
  return row && { ...row, keys: await findKeys(tx, organization_id) };
}

const findKeys = (tx: SenderTx, organization_id: string): Promise<KeyRow[]> =>
  tx.selectFrom('sender_keys').selectAll().where('organization_id', '=', organization_id).orderBy('selector').execute();

export async function insertSender(
  tx: SenderTx,
  sender: Pick<SenderRow, 'organization_id' | 'domain' | 'local_part'>,
  key: NewKey,
): Promise<void> {
  await tx.insertInto('sender_domains').values(sender).execute();
  await insertKey(tx, { organization_id: sender.organization_id, selector: 1, state: 'active', ...key });
}

/** Replaces the retired key of this selector, if there is one. */
export async function insertKey(tx: SenderTx, key: NewKey & Pick<KeyRow, 'organization_id' | 'selector' | 'state'>): Promise<void> {
  await tx
    .deleteFrom('sender_keys')
    .where('organization_id', '=', key.organization_id)
    .where('selector', '=', key.selector)
    .where('state', '=', 'retired')
    .execute();
  await tx.insertInto('sender_keys').values(key).execute();
}

export async function saveLocalPart(tx: SenderTx, organization_id: string, local_part: string): Promise<void> {
  await tx.updateTable('sender_domains').set({ local_part }).where('organization_id', '=', organization_id).execute();
}

/** A different domain starts unverified; the keys are those of the organization and stay. */
export async function replaceDomain(tx: SenderTx, organization_id: string, columns: { domain: string; local_part: string }): Promise<void> {
  await tx
    .updateTable('sender_domains')
    .set({
      ...columns,
      lookup: null,
      checked_at: null,
      verified_at: null,
      bounces_verified_at: null,
      created_at: sql<string>`now()`,
      next_check_at: sql<string>`now()`,
    })
    .where('organization_id', '=', organization_id)
    .execute();
}

interface CheckResult {
  lookup: SenderLookup;
  isVerified: boolean;
  /** Whether bounces arrive at the organization's own domain. */
  hasBounceHost: boolean;
  nextCheckHours: number;
}

export async function saveLookup(
  tx: SenderTx,
  organization_id: string,
  { lookup, isVerified, hasBounceHost, nextCheckHours }: CheckResult,
): Promise<void> {
  const since = (column: 'verified_at' | 'bounces_verified_at', isFound: boolean) =>
    isFound ? sql<string>`coalesce(${sql.ref(column)}, now())` : null;
  await tx
    .updateTable('sender_domains')
    .set({
      lookup: JSON.stringify(lookup),
      checked_at: sql<string>`now()`,
      next_check_at: inHours(nextCheckHours),
      verified_at: since('verified_at', isVerified),
      bounces_verified_at: since('bounces_verified_at', hasBounceHost),
    })
    .where('organization_id', '=', organization_id)
    .execute();
}

/** Changes nothing but the time of the next check. */
export async function postponeCheck(tx: SenderTx, organization_id: string, hours: number): Promise<void> {
  await tx
    .updateTable('sender_domains')
    .set({ next_check_at: inHours(hours) })
    .where('organization_id', '=', organization_id)
    .execute();
}

const inHours = (hours: number) => sql<string>`now() + make_interval(hours => ${hours})`;

/** The next key replaces the active one, which stays in DNS for mail in transit. */
export async function activateNextKey(tx: SenderTx, organization_id: string): Promise<void> {
  const key = () => tx.updateTable('sender_keys').where('organization_id', '=', organization_id);
  await key()
    .set({ state: 'retired', retired_at: sql<string>`now()` })
    .where('state', '=', 'active')
    .execute();
  await key().set({ state: 'active' }).where('state', '=', 'next').execute();
}

export async function deleteSender(tx: SenderTx, organization_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sender_domains').where('organization_id', '=', organization_id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The longest overdue first. */
export const findSendersToCheckAcrossOrganizations = (tx: SenderTx): Promise<{ organization_id: string }[]> =>
  tx
    .selectFrom('sender_domains')
    .select('organization_id')
    .where('next_check_at', '<=', sql<string>`now()`)
    .orderBy('next_check_at')
    .limit(100)
    .execute();

/** Every key that must be in DNS: those in use, the next ones, and for a week those that were replaced. */
export const findPublishedKeysAcrossOrganizations = (
  tx: SenderTx,
): Promise<Pick<KeyRow, 'organization_id' | 'selector' | 'public_key' | 'state'>[]> =>
  tx
    .selectFrom('sender_keys')
    .select(['organization_id', 'selector', 'public_key', 'state'])
    .where((row) =>
      row.or([
        row('retired_at', 'is', null),
        row('retired_at', '>', sql<string>`now() - make_interval(days => ${senderDomainRules.retiredKeyDays})`),
      ]),
    )
    .orderBy('organization_id')
    .orderBy('selector')
    .execute();
