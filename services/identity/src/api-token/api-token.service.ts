import {
  apiTokenChanged,
  apiTokenRules,
  AppError,
  createApiToken,
  deleteApiToken,
  findApiToken,
  listApiTokens,
  recordApiTokenUse,
  rotateApiToken,
  updateApiToken,
  type ApiToken,
  type Context,
  type DataOf,
  type InputOf,
  type IssuedApiToken,
  type KnownApiToken,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { hashToken, newApiTokenValue } from '@tandem/platform';
import { Controller } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import { changesOf, fromTo } from '../organization/changes';
import { requireUser } from '../require-user';
import type { Changes, IdentityTables } from '../schema';
import { lockOrganization } from '../team/member.store';
import { auditedAtCreation, expiryOf, overlapUntil, unique } from './api-token';
import * as store from './api-token.store';

type IdentityTx = Tx<IdentityTables>;
type What = DataOf<typeof apiTokenChanged>['what'];

const permission = 'api_token.write';

/** The API tokens of an organization (docs/decisions/0033-api-tokens.md). */
@Controller()
export class ApiTokenService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(listApiTokens)
  list(ctx: TenantContext): Promise<ApiToken[]> {
    return this.db.forTenant(ctx, (tx) => store.findApiTokens(tx, ctx.organization_id));
  }

  @Handles(createApiToken)
  create(ctx: TenantContext, { body }: InputOf<typeof createApiToken>): Promise<IssuedApiToken> {
    const { organization_id } = ctx;
    const { user_id } = requireUser(ctx);
    const id = newId();
    return this.db.forTenant(ctx, async (tx) => {
      // The lock makes the count exact when several are created at once.
      await lockOrganization(tx, ctx, permission);
      if ((await store.countApiTokens(tx, organization_id)) >= apiTokenRules.max) throw new AppError('api_token.too_many');
      const { value, ...hashed } = newValue();
      await store.insertApiToken(tx, {
        organization_id,
        id,
        ...hashed,
        name: body.name,
        created_by: user_id,
        permissions: unique(body.permissions),
        networks: unique(body.networks),
        expires_at: expiryOf(body.expires_in_days, Date.now()),
      });
      const token = await store.getApiToken(tx, organization_id, id);
      await announce(tx, ctx, 'created', token, {}, auditedAtCreation(token));
      return { token, value };
    });
  }

  @Handles(updateApiToken)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateApiToken>): Promise<ApiToken> {
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, permission);
      const before = await store.getApiToken(tx, organization_id, params.id);
      const wanted = { ...body, ...(body.networks && { networks: unique(body.networks) }) };
      const changed = changesOf<ApiToken, keyof typeof body>(before, wanted);
      if (Object.keys(changed).length === 0) return before;
      await store.saveApiToken(tx, organization_id, params.id, changed);
      const token = await store.getApiToken(tx, organization_id, params.id);
      const changes = fromTo<ApiToken>(before, changed);
      await announce(tx, ctx, 'updated', token, changes, changes);
      return token;
    });
  }

  @Handles(rotateApiToken)
  rotate(ctx: TenantContext, { params, body }: InputOf<typeof rotateApiToken>): Promise<IssuedApiToken> {
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, permission);
      const before = await store.getApiToken(tx, organization_id, params.id);
      const { value, ...hashed } = newValue();
      await store.replaceValue(tx, organization_id, params.id, hashed, overlapUntil(body.overlap_hours, Date.now()));
      const token = await store.getApiToken(tx, organization_id, params.id);
      const changes = { last_four: { from: before.last_four, to: token.last_four } };
      await announce(tx, ctx, 'rotated', token, changes, changes);
      return { token, value };
    });
  }

  @Handles(deleteApiToken)
  async delete(ctx: TenantContext, { params }: InputOf<typeof deleteApiToken>): Promise<OutputOf<typeof deleteApiToken>> {
    const { organization_id } = ctx;
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, permission);
      const token = await store.getApiToken(tx, organization_id, params.id);
      await store.deleteApiToken(tx, organization_id, params.id);
      await announce(tx, ctx, 'deleted', token, {});
      return {};
    });
  }

  @Handles(findApiToken)
  find(_ctx: Context, { body }: InputOf<typeof findApiToken>): Promise<KnownApiToken | null> {
    return this.db.asSystem('an API token identifies the organization of a request', (tx) =>
      store.findApiTokenByHashAcrossOrganizations(tx, body.hash),
    );
  }

  /** Each organization's rows are written in a separate transaction: tokens of several organizations are reported together. */
  @Handles(recordApiTokenUse)
  async recordUse(_ctx: Context, { body }: InputOf<typeof recordApiTokenUse>): Promise<OutputOf<typeof recordApiTokenUse>> {
    for (const organization_id of unique([...body.uses, ...body.rejections].map((each) => each.organization_id))) {
      const own = <T extends { organization_id: string }>(all: readonly T[]) =>
        all.filter((each) => each.organization_id === organization_id);
      await this.db.forTenant({ organization_id }, async (tx) => {
        for (const use of own(body.uses)) await store.saveUse(tx, use);
        for (const rejection of own(body.rejections)) await recordRejection(tx, rejection);
      });
    }
    return {};
  }
}

type Rejection = InputOf<typeof recordApiTokenUse>['body']['rejections'][number];

/** Several gateways may report the same rejection within a minute. The token may have been deleted since. */
async function recordRejection(tx: IdentityTx, { token_id, organization_id, ip, user_agent }: Rejection): Promise<void> {
  const token = (await store.findApiTokens(tx, organization_id)).find(({ id }) => id === token_id);
  if (!token || (await store.hasRecentRejection(tx, token, ip))) return;
  const caller: Pick<Context, 'actor' | 'client'> = { actor: { type: 'system' }, client: { ip, user_agent } };
  await recordAudit(tx, caller, { type: 'api_token.network_refused', organization_id, target: token.name });
}

/** The value's hash and last four characters are stored, never the value. */
function newValue(): { value: string; token_hash: string; last_four: string } {
  const value = newApiTokenValue();
  return { value, token_hash: hashToken(value), last_four: value.slice(-4) };
}

/** Emits the event, which the gateways and notifications receive, and writes the audit entry. */
async function announce(tx: IdentityTx, ctx: Context, what: What, token: ApiToken, changes: Changes, audited?: Changes): Promise<void> {
  await emit(tx, ctx, apiTokenChanged, token.id, { what, token, changes });
  await recordAudit(tx, ctx, {
    type: `api_token.${what}`,
    organization_id: token.organization_id,
    target: token.name,
    ...(audited && { changes: audited }),
  });
}
