import {
  AppError,
  deleteOidcConnection,
  readOidcConnection,
  saveOidcConnection,
  type Context,
  type InputOf,
  type OidcConnection,
  type OutputOf,
  type SaveOidcConnection,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Secrets, UnsafeAddress, type AddressRules, type ServiceConfig } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { endSessions } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import type { Changes, IdentityTables } from '../schema';
import { assertStillMay } from '../team/member.store';
import { issuerOf, outboundRules, redirectUriOf, sameIssuer, secretPurpose } from './oidc';
import {
  deleteConnection,
  deleteIdentities,
  findConnection,
  findConnectionForUpdate,
  findLinkedPeople,
  saveConnection,
  type ConnectionRow,
} from './oidc.store';
import { OpenIdProvider, ProviderProblem } from './openid-provider';

const shown = ['issuer', 'client_id', 'is_active', 'auto_join'] as const;
type Shown = Pick<ConnectionRow, (typeof shown)[number]>;

/** What an admin connects: the organization's OpenID provider. */
@Controller()
export class OidcConnectionService {
  private readonly rules: AddressRules;

  constructor(
    private readonly db: Database<IdentityTables>,
    private readonly secrets: Secrets,
    @Inject('CONFIG') private readonly config: ServiceConfig,
  ) {
    this.rules = outboundRules(config);
  }

  @Handles(readOidcConnection)
  async readOidcConnection(ctx: Context): Promise<OutputOf<typeof readOidcConnection>> {
    const row = await this.db.forTenant(ctx, (tx) => findConnection(tx, ctx.organization_id!));
    return row ? this.view(row) : null;
  }

  @Handles(saveOidcConnection)
  async saveOidcConnection(ctx: Context, { body }: InputOf<typeof saveOidcConnection>): Promise<OidcConnection> {
    const organization_id = ctx.organization_id!;
    const before = await this.db.forTenant(ctx, (tx) => findConnection(tx, organization_id));
    const given = this.issuerIn(body);
    const elsewhere = before !== undefined && !sameIssuer(before.issuer, given);
    // The stored secret belongs to the provider it was made at: it is not handed to another one.
    if (elsewhere && before.sealed_client_secret !== null && body.client_secret === undefined)
      throw refused('client_secret', 'Enter the client secret of the new provider');
    // Switching off must also work while the provider is away.
    const issuer = before && !elsewhere && !body.is_active ? before.issuer : await this.discover(given, body.client_id);
    return this.db.forTenant(ctx, async (tx) => {
      const latest = await findConnectionForUpdate(tx, organization_id);
      // Asking the provider takes as long as the provider likes.
      await assertStillMay(tx, ctx, 'organization.write');
      const { client_id, is_active, auto_join, client_secret } = body;
      const kept = latest && sameIssuer(latest.issuer, issuer) ? latest.sealed_client_secret : null;
      const sealed_client_secret = client_secret === undefined ? kept : this.secrets.seal(secretPurpose, client_secret);
      const row = await saveConnection(tx, { organization_id, issuer, client_id, is_active, auto_join, sealed_client_secret });
      const replaces = latest !== undefined && (latest.issuer !== issuer || latest.client_id !== client_id);
      if (replaces || (latest?.is_active && !is_active)) await endSignIns(tx, ctx, organization_id);
      // Another provider, and often another client too, knows people by other subjects: they are linked anew, by their address.
      if (replaces) await deleteIdentities(tx, organization_id);
      await recordAudit(tx, ctx, { type: 'oidc.connected', organization_id, target: issuer, changes: changesBetween(latest, row) });
      return this.view(row);
    });
  }

  @Handles(deleteOidcConnection)
  async deleteOidcConnection(ctx: Context): Promise<OutputOf<typeof deleteOidcConnection>> {
    const organization_id = ctx.organization_id!;
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findConnectionForUpdate(tx, organization_id);
      if (!before) return {};
      await assertStillMay(tx, ctx, 'organization.write');
      await deleteConnection(tx, organization_id);
      await endSignIns(tx, ctx, organization_id);
      await deleteIdentities(tx, organization_id);
      await recordAudit(tx, ctx, { type: 'oidc.disconnected', organization_id, target: before.issuer });
      return {};
    });
  }

  private issuerIn({ issuer }: SaveOidcConnection): string {
    try {
      return issuerOf(issuer, this.rules).href;
    } catch (error) {
      if (error instanceof UnsafeAddress) throw refused('issuer', error.message);
      throw error;
    }
  }

  /** The issuer as the provider spells it. */
  private async discover(issuer: string, client_id: string): Promise<string> {
    try {
      return (await OpenIdProvider.discover({ issuer, client_id, client_secret: undefined }, this.rules)).issuer;
    } catch (error) {
      if (error instanceof ProviderProblem) throw new AppError('oidc.unreachable', { detail: error.message, cause: error });
      throw error;
    }
  }

  private view({ organization_id, sealed_client_secret, ...row }: ConnectionRow): OidcConnection {
    const redirect_uri = redirectUriOf(this.config.PUBLIC_URL, organization_id);
    return { ...row, has_client_secret: sealed_client_secret !== null, redirect_uri };
  }
}

/**
 * Whom the provider has vouched for signs in anew: a provider may have been cut off because it can no longer be believed. Nothing tells
 * their sessions apart, so those by password end too; the one that this is asked in goes on. After the connection was written: a sign-in
 * under way is over by then.
 */
async function endSignIns(tx: Tx<IdentityTables>, ctx: Context, organization_id: string): Promise<void> {
  const own = ctx.actor.type === 'user' ? ctx.actor.session_id : undefined;
  for (const user_id of await findLinkedPeople(tx, organization_id)) await endSessions(tx, ctx, user_id, 'oidc_disconnected', own);
}

const refused = (path: string, message: string): AppError =>
  new AppError('request.invalid', { detail: message, fields: [{ path, code: 'custom', message }] });

function changesBetween(before: Shown | undefined, after: Shown): Changes {
  const changed = shown.filter((name) => before?.[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before?.[name] ?? null, to: after[name] }]));
}
