import {
  AppError,
  demoStarted,
  endDemo,
  readInstallation,
  startDemo,
  systemContext,
  type Context,
  type IssuedSession,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, lockName, newId, type Tx } from '@tandem/db';
import { emit, Handles, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { newToken } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { sql } from 'kysely';
import { hashPassword } from '../account/password';
import type { IdentityConfig } from '../config';
import { writeDemoOrganization } from '../demo';
import { deleteOrganization } from '../organization/delete-organization';
import { signUpPolicy } from '../organization/single-organization';
import type { IdentityTables } from '../schema';
import { issueSession } from '../session/session.service';

const lifeMs = 60 * 60_000;

/**
 * The live demo: for an hour, each visitor is the manager of a separate organization. Managers cannot change anything that connects to
 * other hosts, the organization has no public pages, sends no emails and receives none, and the passwords of its accounts are random and
 * not stored.
 */
@Controller()
export class LiveDemoService {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: Pick<IdentityConfig, 'SIGN_UP' | 'LIVE_DEMOS' | 'SINGLE_ORGANIZATION'>,
  ) {}

  @Handles(readInstallation)
  async readInstallation(): Promise<OutputOf<typeof readInstallation>> {
    return { sign_up: await signUpPolicy(this.db, this.config), has_live_demo: this.config.LIVE_DEMOS > 0 };
  }

  @Handles(startDemo)
  async startDemo(ctx: Context): Promise<IssuedSession> {
    if (this.config.LIVE_DEMOS === 0) throw new AppError('demo.not_offered');
    // Before the password is hashed, which costs CPU time.
    if ((await this.db.asSystem('live demos of all visitors', countDemosAcrossOrganizations)) >= this.config.LIVE_DEMOS)
      throw new AppError('demo.full');
    const organization_id = newId();
    const password_hash = await hashPassword(newToken());
    return this.db.forTenant({ organization_id }, async (tx) => {
      // The only lock that is shared by all organizations: otherwise starts at the same moment could exceed the maximum.
      await lockName(tx, 'live-demos');
      if ((await countDemosAcrossOrganizations(tx)) >= this.config.LIVE_DEMOS) throw new AppError('demo.full');
      const { members } = await writeDemoOrganization(tx, organization_id, {
        password_hash,
        // Demos have no portal, so they may exist next to a single organization.
        isSingle: false,
        subdomains: [null],
        // No mail server can have a domain below `invalid` (RFC 2606).
        mailHost: `${organization_id.slice(-12)}.demo.invalid`,
        demo_ends_at: new Date(Date.now() + lifeMs).toISOString(),
      });
      const member_ids = members.map(({ user_id }) => user_id);
      const tenant = { ...ctx, organization_id };
      await emit(tx, tenant, demoStarted, organization_id, { member_ids });
      const visitor = members.find(({ role }) => role === 'manager')!;
      return issueSession(tx, tenant, visitor.user_id);
    });
  }

  @Recovers(endDemo)
  async findEndedDemosAcrossOrganizations(): Promise<PendingJob<typeof endDemo>[]> {
    const ended = await this.db.asSystem('expired demo organizations', (tx) =>
      tx
        .selectFrom('organizations')
        .select('id')
        .where('demo_ends_at', '<=', sql<string>`now()`)
        .orderBy('demo_ends_at')
        .limit(100)
        .execute(),
    );
    return ended.map(({ id }) => ({ id, ctx: systemContext(id, 'end-demo'), data: {} }));
  }

  @HandlesJob(endDemo, { concurrency: 1 })
  async endDemo(ctx: TenantContext): Promise<void> {
    await this.db.forTenant(ctx, async (tx) => {
      // A job can run twice, and must never delete an organization that is not a demo.
      const ended = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', ctx.organization_id)
        .where('demo_ends_at', '<=', sql<string>`now()`)
        .executeTakeFirst();
      if (ended) await deleteOrganization(tx, ctx);
    });
  }
}

async function countDemosAcrossOrganizations(tx: Tx<IdentityTables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count_live_demos() as count`.execute(tx);
  return rows[0]!.count;
}
