import { Inject, Injectable } from '@nestjs/common';
import { advanceOrganizationDeletion, organizationUpdated, systemContext, type TenantContext } from '@tandem/contracts';
import { afterCommit, Database } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { deleteOrganization } from '../organization/delete-organization';
import type { IdentityTables } from '../schema';
import { announceDeletion } from './deletion-emails';
import { dueStep } from './organization-deletion';
import { findDeletionRequestForUpdate, findDueDeletionsAcrossOrganizations, saveReminder } from './organization-deletion.store';

/** Reminds admins of deletions that they have requested, and deletes organizations when they are due. */
@Injectable()
export class OrganizationDeletionWorker {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Recovers(advanceOrganizationDeletion)
  async findDue(): Promise<PendingJob<typeof advanceOrganizationDeletion>[]> {
    const due = await this.db.asSystem('requested deletions that are due', findDueDeletionsAcrossOrganizations);
    return due.map(({ id }) => ({ id, ctx: systemContext(id, 'delete-organization'), data: {} }));
  }

  /** One transaction under the lock of the organization: a job that runs twice, or beside a cancellation, finds what the other has done. */
  @HandlesJob(advanceOrganizationDeletion, { concurrency: 1 })
  async advance(ctx: TenantContext): Promise<void> {
    const { organization_id } = ctx;
    await this.db.forTenant(ctx, async (tx) => {
      const request = await findDeletionRequestForUpdate(tx, organization_id);
      const step = request ? dueStep(request, Date.parse(request.now)) : null;
      if (!request || step === null) return;
      const requested_by = request.deletion_requested_by;
      if (step === 'delete') {
        await announceDeletion(tx, ctx, 'deleted', request, requested_by);
        await deleteOrganization(tx, ctx);
        // The audit log is deleted with the organization: this line is what remains.
        afterCommit(tx, () => this.log.info({ organization_id, requested_by }, 'Deleted an organization at the request of its admin'));
        return;
      }
      const organization = await saveReminder(tx, organization_id, step === 'postpone');
      await announceDeletion(tx, ctx, 'deletion_due', { ...request, deletion_at: organization.deletion_at }, requested_by);
      if (step === 'postpone') await emit(tx, ctx, organizationUpdated, organization_id, { organization });
    });
  }
}
