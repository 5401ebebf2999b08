import { lockName } from '@tandem/db';
import { sql, type Insertable } from 'kysely';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { stateMinutes } from './connection';

const now = sql<string>`now()`;

export const findConnections = (tx: IntegrationsTx, organization_id: string): Promise<ConnectionRow[]> =>
  tx.selectFrom('connections').selectAll().where('organization_id', '=', organization_id).orderBy('provider').execute();

export const findConnection = (tx: IntegrationsTx, organization_id: string, provider: string): Promise<ConnectionRow | undefined> =>
  tx
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('provider', '=', provider)
    .executeTakeFirst();

/**
 * Concurrent connects and disconnects of the same tool wait until the transaction ends. A named lock, because the first connection has no
 * row to lock yet.
 */
export async function findConnectionForUpdate(
  tx: IntegrationsTx,
  organization_id: string,
  provider: string,
): Promise<ConnectionRow | undefined> {
  await lockName(tx, `task tool ${provider} of ${organization_id}`);
  return tx
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst();
}

/** Rate limit, failures and probes of the previous token do not apply to the new one. */
const fresh = {
  state: 'connected' as const,
  broken_at: null,
  connected_at: now,
  failures: 0,
  blocked_until: null,
  block_reason: null,
  rate_limit: null,
  rate_remaining: null,
  rate_reset_at: null,
  rate_window_start: null,
  probe_at: null,
  probes: 0,
  refresh_lease_until: null,
};

export const saveConnection = (tx: IntegrationsTx, row: Insertable<IntegrationsSchema['connections']>): Promise<ConnectionRow> => {
  const { id: _, ...renewed } = { ...row, ...fresh };
  return tx
    .insertInto('connections')
    .values({ ...row, ...fresh })
    .onConflict((conflict) => conflict.columns(['organization_id', 'provider']).doUpdateSet(renewed))
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Reconnects a broken connection whose token is accepted again; undefined if it was reconnected or removed in the meantime. */
export const reconnect = (tx: IntegrationsTx, id: string): Promise<ConnectionRow | undefined> =>
  tx
    .updateTable('connections')
    .set(fresh)
    .where('id', '=', id)
    .where('state', '=', 'broken')
    .where('sealed_token', 'is not', null)
    .returningAll()
    .executeTakeFirst();

/** Resumes the integrations that were paused because the token was no longer accepted. */
export const resumeIntegrations = (tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<IntegrationRow[]> =>
  tx
    .updateTable('integrations')
    .set({ is_active: true, pause_reason: null })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where('pause_reason', '=', 'connection_broken')
    .returningAll()
    .execute();

/** Lists that were not available may be available with the new token. */
export async function probeListsNow(tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ next_check_at: now })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where('is_active', '=', false)
    .where('unavailable_since', 'is not', null)
    .execute();
}

/** A new account sees neither the webhooks of the old one nor, perhaps, its custom fields: both are checked again. */
export const resetForNewAccount = (tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<IntegrationRow[]> =>
  tx
    .updateTable('integrations')
    .set({ webhook_id: null, webhook_state: 'missing', custom_fields_refused: false })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .returningAll()
    .execute();

export const integrationsOf = (tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<IntegrationRow[]> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .orderBy('id')
    .execute();

/**
 * Removes the connection with its integrations and stored webhooks. Ticket copies are kept only for organizations that have a connection.
 */
export async function removeConnection(tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<void> {
  await tx.deleteFrom('connections').where('organization_id', '=', organization_id).where('id', '=', id).execute();
  const other = await tx.selectFrom('connections').select('id').where('organization_id', '=', organization_id).limit(1).executeTakeFirst();
  if (!other) await tx.deleteFrom('ticket_copies').where('organization_id', '=', organization_id).execute();
}

export interface OauthState {
  organization_id: string;
  state_hash: string;
  provider: string;
  user_id: string;
}

/** Saves the state of a started authorization, and deletes the organization's expired ones. */
export async function insertState(tx: IntegrationsTx, state: OauthState): Promise<void> {
  await tx.deleteFrom('oauth_states').where('organization_id', '=', state.organization_id).where('expires_at', '<', now).execute();
  const expires_at = sql<string>`now() + make_interval(mins => ${stateMinutes})`;
  await tx
    .insertInto('oauth_states')
    .values({ ...state, expires_at })
    .execute();
}

/** Consumes a state: of two requests with one state, only one succeeds. False if there is none for this user, or it has expired. */
export async function consumeState(tx: IntegrationsTx, { organization_id, state_hash, provider, user_id }: OauthState): Promise<boolean> {
  const taken = await tx
    .deleteFrom('oauth_states')
    .where('organization_id', '=', organization_id)
    .where('state_hash', '=', state_hash)
    .where('provider', '=', provider)
    .where('user_id', '=', user_id)
    .returning((row) => row('expires_at', '>', now).$castTo<boolean>().as('in_time'))
    .executeTakeFirst();
  return taken?.in_time === true;
}
