import { AppError, type ApiToken, type InputOf, type KnownApiToken, type recordApiTokenUse } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { type Insertable, sql, type Updateable } from 'kysely';
import { auditEntries } from '../audit/audit.store';
import type { ApiTokensTable, IdentityTables } from '../schema';
import { creatorName } from './api-token';

type IdentityTx = Tx<IdentityTables>;

/** The organization is a condition, too: the table is also readable for the system (`auditEntries` describes the effect). */
const ofOrganization = (tx: IdentityTx, organization_id: string) =>
  tx
    .selectFrom('api_tokens as t')
    .leftJoin('users as u', 'u.id', 't.created_by')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.user_id', '=', 't.created_by'))
    .select([
      't.id',
      't.organization_id',
      't.name',
      't.last_four',
      't.permissions',
      't.networks',
      't.is_active',
      't.expires_at',
      't.last_used_at',
      't.last_used_ip',
      't.created_by',
      't.created_at',
      sql<string | null>`case when t.previous_valid_until > now() then t.previous_valid_until end`.as('previous_valid_until'),
      'u.first_name',
      'u.last_name',
      'u.email',
      'm.is_active as creator_is_active',
    ])
    .where('t.organization_id', '=', organization_id);

type Found = Awaited<ReturnType<ReturnType<typeof ofOrganization>['executeTakeFirstOrThrow']>>;

function toApiToken({ first_name, last_name, email, creator_is_active, ...token }: Found): ApiToken {
  const name = email === null ? 'A deleted account' : creatorName({ first_name, last_name, email });
  return { ...token, creator_name: name, creator_is_active: creator_is_active ?? false };
}

export async function findApiTokens(tx: IdentityTx, organization_id: string): Promise<ApiToken[]> {
  const found = await ofOrganization(tx, organization_id).orderBy('t.created_at', 'desc').orderBy('t.id', 'desc').execute();
  return found.map(toApiToken);
}

export async function getApiToken(tx: IdentityTx, organization_id: string, id: string): Promise<ApiToken> {
  const found = await ofOrganization(tx, organization_id).where('t.id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('api_token.not_found');
  return toApiToken(found);
}

export async function countApiTokens(tx: IdentityTx, organization_id: string): Promise<number> {
  const { count } = await tx
    .selectFrom('api_tokens')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertApiToken = async (tx: IdentityTx, token: Insertable<ApiTokensTable>): Promise<void> => {
  await tx.insertInto('api_tokens').values(token).execute();
};

export async function saveApiToken(
  tx: IdentityTx,
  organization_id: string,
  id: string,
  changes: Updateable<Pick<ApiTokensTable, 'name' | 'networks' | 'is_active'>>,
): Promise<void> {
  await tx.updateTable('api_tokens').set(changes).where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/** Gives a token a new value. The current one becomes the previous one; the one before that becomes invalid immediately. */
export async function replaceValue(
  tx: IdentityTx,
  organization_id: string,
  id: string,
  value: { token_hash: string; last_four: string },
  previous_valid_until: string | null,
): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set((row) => ({ ...value, previous_valid_until, previous_hash: previous_valid_until === null ? null : row.ref('token_hash') }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteApiToken(tx: IdentityTx, organization_id: string, id: string): Promise<void> {
  await tx.deleteFrom('api_tokens').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

const known = ['id', 'organization_id', 'name', 'permissions', 'networks', 'is_active', 'expires_at'] as const;

/** The token with this hash, which may also be that of the value before the last rotation. */
export async function findApiTokenByHashAcrossOrganizations(tx: IdentityTx, hash: string): Promise<KnownApiToken | null> {
  const current = await tx.selectFrom('api_tokens').select(known).where('token_hash', '=', hash).executeTakeFirst();
  if (current) return { ...current, valid_until: null };
  const previous = await tx
    .selectFrom('api_tokens')
    .select([...known, 'previous_valid_until as valid_until'])
    .where('previous_hash', '=', hash)
    .where('previous_valid_until', '>', sql<string>`now()`)
    .executeTakeFirst();
  return previous ?? null;
}

type Use = InputOf<typeof recordApiTokenUse>['body']['uses'][number];

/** Never moves the time backward: several gateways report the same token. */
export async function saveUse(tx: IdentityTx, { token_id, organization_id, at, ip }: Use): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ last_used_at: at, last_used_ip: ip })
    .where('organization_id', '=', organization_id)
    .where('id', '=', token_id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', at)]))
    .execute();
}

/** Whether the audit log has an entry from the last minute about this token and address. */
export async function hasRecentRejection(tx: IdentityTx, { organization_id, name }: ApiToken, ip: string): Promise<boolean> {
  const from = new Date(Date.now() - 60_000).toISOString();
  const entry = await auditEntries(tx, organization_id, { type: 'api_token.network_refused', from })
    .where('target', '=', name)
    .where('ip', '=', ip)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
