import { Secrets } from '@tandem/platform';
import { secretPurpose as mfaPurpose } from '@tandem/identity/src/mfa/verify-code';
import { secretPurpose as oidcPurpose, verifierPurpose } from '@tandem/identity/src/oidc/oidc';
import { secretPurpose as widgetPurpose } from '@tandem/identity/src/widget/widget';
import { refreshTokenPurpose, tokenPurpose } from '@tandem/integrations/src/connection/connection';
import { webhookSecretPurpose } from '@tandem/integrations/src/pull/webhook';
import { mailServerPurpose } from '@tandem/notifications/src/mail-server/mail-server';
import { dkimKeyPurpose } from '@tandem/notifications/src/sender/sender-record';
import { secretPurpose as endpointPurpose } from '@tandem/notifications/src/webhook/webhook-signature';
import { customerPurpose } from '@tandem/tickets/src/data-export/export';
import { erasurePurpose } from '@tandem/tickets/src/erasure/erasure';
import { tokenPurpose as importPurpose } from '@tandem/tickets/src/import/import';
import { mailboxPurpose } from '@tandem/tickets/src/mail-in/mailbox.service';
import type pg from 'pg';
import { asReader, quoted, required, services } from './installation';
import { countKeyIds } from './sealed-columns';

type Service = (typeof services)[number];

/** The purpose that the values of each column are sealed for. A test compares the columns with the databases. */
export const purposes: Record<Service, Record<string, string>> = {
  identity: {
    'mfa.sealed_secret': mfaPurpose,
    'oidc_connections.sealed_client_secret': oidcPurpose,
    'oidc_attempts.sealed_verifier': verifierPurpose,
    'widgets.sealed_secret': widgetPurpose,
  },
  tickets: {
    'widgets.sealed_secret': widgetPurpose,
    'mailboxes.sealed_password': mailboxPurpose,
    'imports.sealed_token': importPurpose,
    'exports.sealed_email': customerPurpose,
    'erasures.sealed_email': erasurePurpose,
  },
  notifications: {
    'webhook_endpoints.sealed_secret': endpointPurpose,
    'webhook_endpoints.sealed_previous_secret': endpointPurpose,
    'sender_keys.sealed_private_key': dkimKeyPurpose,
    'mail_servers.sealed_password': mailServerPurpose,
  },
  integrations: {
    'connections.sealed_token': tokenPurpose,
    'connections.sealed_refresh_token': refreshTokenPurpose,
    'connections.sealed_webhook_secret': webhookSecretPurpose,
    'integrations.sealed_webhook_secret': webhookSecretPurpose,
  },
  analytics: {},
};

/** Tokens of links in emails, which are sealed in events and in emails that have not been sent. They cannot be sealed again, but expire. */
const tokens: Partial<Record<Service, Record<string, string>>> = {
  identity: { 'outbox (links in emails)': `select envelope -> 'data' ->> 'sealed_token' as sealed from outbox` },
  notifications: {
    'emails (links)': `select data ->> 'sealed_token' as sealed from emails where state in ('pending', 'sending', 'failed')`,
    'account_emails (links)': `select data ->> 'sealed_token' as sealed from account_emails where state in ('pending', 'sending', 'failed')`,
  },
};

export interface KeyUse {
  key_id: string;
  is_configured: boolean;
  /** Encrypts new values. */
  is_current: boolean;
  /** The number of values by place, for example `identity mfa.sealed_secret`. */
  values: Record<string, number>;
}

export const configuredKeys = (): string[] =>
  required('ENCRYPTION_KEYS')
    .split(',')
    .map((pair) => pair.split(':')[0]!);

/** The use of every configured key, and of every other key that a value needs. */
export async function findKeyUse(): Promise<KeyUse[]> {
  const [current, ...others] = configuredKeys();
  const uses = new Map<string, Record<string, number>>([current!, ...others].map((key_id) => [key_id, {}]));
  const add = (place: string, key_id: string, rows: number) => {
    const values = uses.get(key_id) ?? {};
    values[place] = rows;
    uses.set(key_id, values);
  };
  for (const service of services) {
    await asReader(service, async (client) => {
      for (const { table, column, key_id, rows } of await countKeyIds(client)) add(`${service} ${table}.${column}`, key_id, rows);
      for (const [place, query] of Object.entries(tokens[service] ?? {})) {
        const { rows } = await client.query<{ key_id: string; count: string }>(
          `select split_part(sealed, '.', 1) as key_id, count(*) from (${query}) as found where sealed is not null group by 1`,
        );
        for (const { key_id, count } of rows) add(`${service} ${place}`, key_id, Number(count));
      }
    });
  }
  return [...uses].map(([key_id, values]) => ({
    key_id,
    is_configured: key_id === current || others.includes(key_id),
    is_current: key_id === current,
    values,
  }));
}

export interface Resealed {
  resealed: number;
  /** Values whose key is not configured, or that were changed. */
  unreadable: number;
}

const batch = 500;

/**
 * Seals every value of the columns with the current key, while the services run: a value that a service replaces in the meantime is not
 * changed, because a service seals with the current key, too.
 */
export async function resealAll(): Promise<Resealed> {
  const secrets = new Secrets(required('ENCRYPTION_KEYS'));
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (const service of services) {
    await asReader(service, async (client) => {
      for (const [place, purpose] of Object.entries(purposes[service])) {
        const { resealed, unreadable } = await resealColumn(client, secrets, place, purpose);
        total.resealed += resealed;
        total.unreadable += unreadable;
      }
    });
  }
  return total;
}

async function resealColumn(client: pg.Client, secrets: Secrets, place: string, purpose: string): Promise<Resealed> {
  const [table, column] = place.split('.').map((name) => quoted(name)) as [string, string];
  const current = `${configuredKeys()[0]}.`;
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (let after = ''; ;) {
    const { rows } = await client.query<{ sealed: string }>(
      `select distinct ${column} collate "C" as sealed from ${table}
       where not starts_with(${column}, $1) and ${column} <> '' and ${column} collate "C" > $2 order by 1 limit ${batch}`,
      [current, after],
    );
    const pairs: { found: string; resealed: string }[] = [];
    for (const { sealed } of rows) {
      const opened = tryToOpen(secrets, purpose, sealed);
      if (opened === undefined) total.unreadable += 1;
      else pairs.push({ found: sealed, resealed: secrets.seal(purpose, opened) });
    }
    // One statement per batch, because the columns have no index: one per value would read the table for each value.
    const { rowCount } = await client.query(
      `update ${table} set ${column} = p.resealed from unnest($1::text[], $2::text[]) as p (found, resealed) where ${column} = p.found`,
      [pairs.map(({ found }) => found), pairs.map(({ resealed }) => resealed)],
    );
    total.resealed += rowCount ?? 0;
    if (rows.length < batch) return total;
    after = rows.at(-1)!.sealed;
  }
}

function tryToOpen(secrets: Secrets, purpose: string, sealed: string): string | undefined {
  try {
    return secrets.open(purpose, sealed);
  } catch {
    return undefined;
  }
}
