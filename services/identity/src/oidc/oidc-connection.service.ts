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
  type TenantContext,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { Secrets, UnsafeAddress, type AddressRules, type ServiceConfig } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { endSessions } from '../access/access.store';
import { recordAudit } from '../audit/audit.store';
import type { Changes, IdentityTables } from '../schema';
import { assertStillAllowed } from '../team/member.store';
import { issuerOf, outboundRules, redirectUriOf, sameIssuer, secretPurpose } from './oidc';
import {
  deleteConnection,
  deleteIdentities,
  findConnection,
  findConnectionForUpdate,
  findLinkedUsers,
  saveConnection,
  type ConnectionRow,
} from './oidc.store';
import { OpenIdProvider, ProviderProblem } from './openid-provider';

const shown = ['issuer', 'client_id', 'is_active', 'auto_join'] as const;
type Shown = Pick<ConnectionRow, (typeof shown)[number]>;

/** Connects the organization to its OpenID provider, for admins. */
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
  async readOidcConnection(ctx: TenantContext): Promise<OutputOf<typeof readOidcConnection>> {
    const row = await this.db.forTenant(ctx, (tx) => findConnection(tx, ctx.organization_id));
    return row ? this.view(row) : null;
  }

  @Handles(saveOidcConnection)
  async saveOidcConnection(ctx: TenantContext, { body }: InputOf<typeof saveOidcConnection>): Promise<OidcConnection> {
    const organization_id = ctx.organization_id;
    const before = await this.db.forTenant(ctx, (tx) => findConnection(tx, organization_id));
    const given = this.issuerIn(body);
    const elsewhere = before !== undefined && !sameIssuer(before.issuer, given);
    // The stored secret belongs to the previous provider and must not be sent to another one.
    if (elsewhere && before.sealed_client_secret !== null && body.client_secret === undefined)
      throw refused('client_secret', 'Enter the client secret of the new provider');
    // Deactivating must work even if the provider is unavailable.
    const issuer = before && !elsewhere && !body.is_active ? before.issuer : await this.discover(given, body.client_id);
    return this.db.forTenant(ctx, async (tx) => {
      const latest = await findConnectionForUpdate(tx, organization_id);
      // Check again: the request to the provider may have taken long.
      await assertStillAllowed(tx, ctx, 'organization.write');
      const { client_id, is_active, auto_join, client_secret } = body;
      const kept = latest && sameIssuer(latest.issuer, issuer) ? latest.sealed_client_secret : null;
      const sealed_client_secret = client_secret === undefined ? kept : this.secrets.seal(secretPurpose, client_secret);
      const row = await saveConnection(tx, { organization_id, issuer, client_id, is_active, auto_join, sealed_client_secret });
      const replaces = latest !== undefined && (latest.issuer !== issuer || latest.client_id !== client_id);
      if (replaces || (latest?.is_active && !is_active)) await endSignIns(tx, ctx, organization_id);
      // Another provider, or another client, may use different subjects for the same people: link them again by address.
      if (replaces) await deleteIdentities(tx, organization_id);
      await recordAudit(tx, ctx, { type: 'oidc.connected', organization_id, target: issuer, changes: changesBetween(latest, row) });
      return this.view(row);
    });
  }

  @Handles(deleteOidcConnection)
  async deleteOidcConnection(ctx: TenantContext): Promise<OutputOf<typeof deleteOidcConnection>> {
    const organization_id = ctx.organization_id;
    return this.db.forTenant(ctx, async (tx) => {
      const before = await findConnectionForUpdate(tx, organization_id);
      if (!before) return {};
      await assertStillAllowed(tx, ctx, 'organization.write');
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

  /** Returns the issuer as the provider spells it. */
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
 * Ends the sessions of all users who signed in through the provider, because it may have been disconnected for being compromised. Sessions
 * do not record how they started, so password sessions end too, except for the caller's. Runs after the connection was written: concurrent
 * sign-ins have finished by then.
 */
async function endSignIns(tx: Tx<IdentityTables>, ctx: Context, organization_id: string): Promise<void> {
  const own = ctx.actor.type === 'user' ? ctx.actor.session_id : undefined;
  for (const user_id of await findLinkedUsers(tx, organization_id)) await endSessions(tx, ctx, user_id, 'oidc_disconnected', own);
}

const refused = (path: string, message: string): AppError =>
  new AppError('request.invalid', { detail: message, fields: [{ path, code: 'custom', message }] });

function changesBetween(before: Shown | undefined, after: Shown): Changes {
  const changed = shown.filter((name) => before?.[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, { from: before?.[name] ?? null, to: after[name] }]));
}
