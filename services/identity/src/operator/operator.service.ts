import {
  AppError,
  authorizeOperator,
  nameOrganizations,
  organizationUpdated,
  readInstallationRecords,
  readOperatorLog,
  savePlan,
  searchOrganizations,
  systemContext,
  type Context,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { Controller, Inject } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import type { IdentityConfig } from '../config';
import { getOrganizationByIdForUpdate, saveOrganization } from '../organization/organization.store';
import type { IdentityTables } from '../schema';
import {
  findLastBackup,
  findSignedInUser,
  listOperatorLog,
  nameOrganizationsAcrossOrganizations,
  recordOperatorAction,
  searchOrganizationsAcrossOrganizations,
} from './operator.store';
import { Updates } from './updates';

/** Identity's part of the operators page (docs/operating.md#the-operators-page). */
@Controller()
export class OperatorService {
  private readonly updates: Updates;

  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: Pick<IdentityConfig, 'OPERATORS' | 'UPDATES_URL'>,
  ) {
    this.updates = new Updates(config.UPDATES_URL);
  }

  /**
   * Read at each request instead of from the access token, so that a change takes effect immediately. The entry is committed before the
   * gateway reads anything. All other callers get the response of an address that does not exist.
   */
  @Handles(authorizeOperator)
  async authorize(ctx: Context, { body }: InputOf<typeof authorizeOperator>): Promise<OutputOf<typeof authorizeOperator>> {
    const { actor, client } = ctx;
    if (actor.type !== 'user') throw new AppError('route.not_found');
    await this.db.asSystem('a request of an operator, who acts for no organization', async (tx) => {
      const user = await findSignedInUser(tx, actor.session_id, actor.user_id);
      if (!user?.has_second_factor || !this.config.OPERATORS.includes(user.email)) throw new AppError('route.not_found');
      const { user_id, email } = user;
      await recordOperatorAction(tx, { user_id, email, ...body, ip: client?.ip ?? null, user_agent: client?.user_agent ?? null });
    });
    return {};
  }

  @Handles(readOperatorLog)
  readLog(): Promise<OutputOf<typeof readOperatorLog>> {
    return this.db.asSystem('the log of operators', listOperatorLog);
  }

  @Handles(readInstallationRecords)
  async readRecords(): Promise<OutputOf<typeof readInstallationRecords>> {
    const [last_backup, update] = await Promise.all([this.db.asSystem('the last backup', findLastBackup), this.updates.read()]);
    return { last_backup: last_backup ?? null, update };
  }

  @Handles(searchOrganizations)
  search(_ctx: Context, { query }: InputOf<typeof searchOrganizations>): Promise<OutputOf<typeof searchOrganizations>> {
    return this.db.asSystem('organizations for an operator', (tx) => searchOrganizationsAcrossOrganizations(tx, query.q, query.limit));
  }

  /** Also in the audit log of the organization, like every change to its settings. */
  @Handles(savePlan)
  async changePlan(_ctx: Context, { params, body }: InputOf<typeof savePlan>): Promise<OutputOf<typeof savePlan>> {
    const organization_id = params.id;
    await this.db.forTenant({ organization_id }, async (tx) => {
      const before = await getOrganizationByIdForUpdate(tx, organization_id);
      if (before.plan === body.plan) return;
      const organization = await saveOrganization(tx, organization_id, body);
      const ctx = systemContext(organization_id, 'operator');
      await emit(tx, ctx, organizationUpdated, organization_id, { organization });
      const changes = { plan: { from: before.plan, to: body.plan } };
      await recordAudit(tx, ctx, { type: 'organization.updated', organization_id, changes });
    });
    return {};
  }

  @Handles(nameOrganizations)
  name(_ctx: Context, { body }: InputOf<typeof nameOrganizations>): Promise<OutputOf<typeof nameOrganizations>> {
    return this.db.asSystem('names of organizations for an operator', (tx) => nameOrganizationsAcrossOrganizations(tx, body.ids));
  }
}
