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

/** Whoever connects or disconnects the same tool waits until the transaction ends: the first connection has no row yet to wait for. */
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

/** What was noted of the token before (its limit, its failures) does not concern the new one. */
const fresh = {
  ...{ state: 'connected' as const, broken_at: null, connected_at: now, failures: 0, blocked_until: null, block_reason: null },
  ...{ rate_limit: null, rate_remaining: null, rate_reset_at: null, rate_since: null, probe_at: null, probes: 0, refreshing_until: null },
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

/** A broken connection whose token is taken again; undefined where somebody has connected it, or given it up, meanwhile. */
export const connectAgain = (tx: IntegrationsTx, id: string): Promise<ConnectionRow | undefined> =>
  tx
    .updateTable('connections')
    .set(fresh)
    .where('id', '=', id)
    .where('state', '=', 'broken')
    .where('sealed_token', 'is not', null)
    .returningAll()
    .executeTakeFirst();

/** What had to pause because the token was dead goes on. */
export const resumeIntegrations = (tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<IntegrationRow[]> =>
  tx
    .updateTable('integrations')
    .set({ is_active: true, pause_reason: null })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where('pause_reason', '=', 'connection_broken')
    .returningAll()
    .execute();

/** Lists that were not available may be so with the new token. */
export async function probeListsNow(tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ look_at: now })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where('is_active', '=', false)
    .where('unavailable_since', 'is not', null)
    .execute();
}

/** Another account sees neither the webhooks of the one before nor, perhaps, its custom fields: both are found out anew. */
export const forgetOldAccount = (tx: IntegrationsTx, { organization_id, id }: ConnectionRow): Promise<IntegrationRow[]> =>
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

/** With its integrations and stored webhooks. Copies of tickets are kept only for organizations that have a connection. */
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

/** Writes what was begun, and deletes what of the organization nobody ended in time. */
export async function insertState(tx: IntegrationsTx, state: OauthState): Promise<void> {
  await tx.deleteFrom('oauth_states').where('organization_id', '=', state.organization_id).where('expires_at', '<', now).execute();
  const expires_at = sql<string>`now() + make_interval(mins => ${stateMinutes})`;
  await tx
    .insertInto('oauth_states')
    .values({ ...state, expires_at })
    .execute();
}

/** Uses a state up: of two requests with one state, one gets it. False when there is none for this person, or its time is over. */
export async function takeState(tx: IntegrationsTx, { organization_id, state_hash, provider, user_id }: OauthState): Promise<boolean> {
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
