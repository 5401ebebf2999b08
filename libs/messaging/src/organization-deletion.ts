import { Inject, Injectable, type Type } from '@nestjs/common';
import { organizationDeleted, systemContext, type Context, type DataOf, type JobType, type TenantContext } from '@tandem/contracts';
import { Database, deleteOrganizationRows, type DeletedOrganization, type PlatformTables } from '@tandem/db';
import { sql } from 'kysely';
import type { AnyTx } from './any-tx';
import { Consumes } from './events/consumes';
import { HandlesJob, Jobs, Recovers, type Attempt, type PendingJob } from './jobs/jobs';

type DeletionJob = JobType & { tenant: true };

/** Minutes from the end of each pass to the next: events and requests that were in flight have arrived by the last pass. */
const pauses = [1, 15, 24 * 60];
const everyPass = pauses.length + 1;
/** Minutes from a failed pass to the next attempt: 2, 4, 8, … */
const maxFailurePause = 60;

/** Deletes everything that a service stores of an organization. */
export interface OrganizationDeletion {
  /** Called before each pass that deletes rows, to delete data that the rows refer to, such as files. It can be repeated. */
  beforeRows(ctx: TenantContext): Promise<void>;
}

/**
 * A provider that deletes a service's rows of deleted organizations, in several passes: the consumer of `organization.deleted` writes a row,
 * which stays as a record, and a job works on it. Subclasses override `beforeRows`.
 *
 * @param job the service's own deletion job
 */
export function organizationDeletion(job: DeletionJob): Type<OrganizationDeletion> {
  @Injectable()
  class Deletion implements OrganizationDeletion {
    constructor(
      @Inject(Database) private readonly db: Database<PlatformTables>,
      @Inject(Jobs) private readonly jobs: Jobs,
    ) {}

    @Consumes(organizationDeleted, { name: 'organization-deletion', from: 'beginning' })
    async request(ctx: TenantContext, { member_ids }: DataOf<typeof organizationDeleted>, tx: AnyTx): Promise<void> {
      const { organization_id } = ctx;
      await sql`
        insert into organization_deletions (organization_id, member_ids) values (${organization_id}, ${member_ids}::uuid[])
        on conflict do nothing`.execute(tx);
      this.jobs.add(tx, ctx, job, {}, { id: organization_id });
    }

    @Recovers(job)
    async findDue(): Promise<PendingJob[]> {
      const due = await this.db.asSystem('deletions of organizations that are due', (tx) =>
        tx
          .selectFrom('organization_deletions')
          .select('organization_id')
          .where('completed_at', 'is', null)
          .where('next_pass_at', '<=', sql<string>`now()`)
          .orderBy('next_pass_at')
          .limit(100)
          .execute(),
      );
      return due.map(({ organization_id }) => ({
        id: organization_id,
        ctx: systemContext(organization_id, 'delete-organization'),
        data: {},
      }));
    }

    @HandlesJob(job, { concurrency: 1 })
    async run(ctx: Context, _data: unknown, { last }: Pick<Attempt, 'last'>): Promise<void> {
      const organization_id = ctx.organization_id!;
      const due = await this.findDuePass(organization_id);
      if (!due) return;
      try {
        await this.beforeRows({ ...ctx, organization_id });
        await deleteOrganizationRows(this.db, due);
      } catch (error) {
        if (last) await this.postpone(organization_id);
        throw error;
      }
      await this.recordPass(organization_id);
    }

    /** A job can be added twice; the second must not count as the next pass. */
    private findDuePass(organization_id: string): Promise<DeletedOrganization | undefined> {
      return this.db.asSystem('the pass of a deletion that is due', (tx) =>
        tx
          .selectFrom('organization_deletions')
          .select(['organization_id', 'member_ids', 'events_after'])
          .where('organization_id', '=', organization_id)
          .where('completed_at', 'is', null)
          .where('next_pass_at', '<=', sql<string>`now()`)
          .executeTakeFirst(),
      );
    }

    private async recordPass(organization_id: string): Promise<void> {
      await this.db.asSystem('record a pass of a deletion', async (tx) => {
        const row = await tx
          .selectFrom('organization_deletions')
          .select('passes')
          .where('organization_id', '=', organization_id)
          .forUpdate()
          .executeTakeFirst();
        if (!row) return;
        const passes = row.passes + 1;
        const pause = pauses[passes - 1] ?? 0;
        await tx
          .updateTable('organization_deletions')
          .set({
            passes: Math.min(passes, everyPass),
            next_pass_at: sql<string>`now() + make_interval(mins => ${pause})`,
            events_after: null,
            failures: 0,
            ...(passes >= everyPass && { completed_at: sql<string>`now()`, member_ids: sql<string[]>`'{}'` }),
          })
          .where('organization_id', '=', organization_id)
          .execute();
      });
    }

    /** The sweep adds the job again when the pass is due. */
    private async postpone(organization_id: string): Promise<void> {
      await this.db.asSystem('postpone a pass of a deletion that has failed', (tx) =>
        tx
          .updateTable('organization_deletions')
          .set({
            failures: sql<number>`least(failures + 1, 100)`,
            next_pass_at: sql<string>`now() + make_interval(mins => least(power(2, least(failures, 10) + 1)::integer, ${maxFailurePause}))`,
          })
          .where('organization_id', '=', organization_id)
          .execute(),
      );
    }

    async beforeRows(_ctx: TenantContext): Promise<void> {}
  }
  return Deletion;
}
