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
import { Database, newId } from '@tandem/db';
import { emit, Handles, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { newToken } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { sql } from 'kysely';
import { hashPassword } from '../account/password';
import type { IdentityConfig } from '../config';
import { writeDemoOrganization } from '../demo';
import { deleteOrganization } from '../organization/delete-organization';
import type { IdentityTables } from '../schema';
import { issueSession } from '../session/session.service';

const lifeMs = 60 * 60_000;

/**
 * The live demo: each visitor is the manager of an organization of their own for an hour. Managers can change nothing that connects to
 * other hosts, the organization has no public pages and sends no emails, and nobody knows the password of its accounts.
 */
@Controller()
export class LiveDemoService {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: Pick<IdentityConfig, 'SIGN_UP' | 'LIVE_DEMOS'>,
  ) {}

  @Handles(readInstallation)
  readInstallation(): OutputOf<typeof readInstallation> {
    return { sign_up: this.config.SIGN_UP, has_live_demo: this.config.LIVE_DEMOS > 0 };
  }

  @Handles(startDemo)
  async startDemo(ctx: Context): Promise<IssuedSession> {
    if (this.config.LIVE_DEMOS === 0) throw new AppError('demo.not_offered');
    if ((await this.countDemos()) >= this.config.LIVE_DEMOS) throw new AppError('demo.full');
    const organization_id = newId();
    const password_hash = await hashPassword(newToken());
    return this.db.forTenant({ organization_id }, async (tx) => {
      const { members } = await writeDemoOrganization(tx, organization_id, {
        password_hash,
        subdomains: [null],
        // No mail server can have a domain below `invalid` (RFC 2606).
        mailHost: `${organization_id.slice(-8)}.demo.invalid`,
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
  async findEndedDemos(): Promise<PendingJob<typeof endDemo>[]> {
    const ended = await this.db.asSystem('demo organizations whose time is over', (tx) =>
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
      // A job can run twice, and must never delete an organization that is no demo.
      const ended = await tx
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', ctx.organization_id)
        .where('demo_ends_at', '<=', sql<string>`now()`)
        .executeTakeFirst();
      if (ended) await deleteOrganization(tx, ctx);
    });
  }

  /** Requests at the same moment can exceed the limit by their number. */
  private async countDemos(): Promise<number> {
    const { count } = await this.db.asSystem('live demos of all visitors', (tx) =>
      tx
        .selectFrom('organizations')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('demo_ends_at', 'is not', null)
        .executeTakeFirstOrThrow(),
    );
    return count;
  }
}
