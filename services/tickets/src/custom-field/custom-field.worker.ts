import { Injectable } from '@nestjs/common';
import { purgeCustomField, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { deleteCustomFieldRow, findExpiredFieldForUpdate, findExpiredFieldsAcrossOrganizations, removeValues } from './custom-field.store';

/** Tickets that one transaction changes. */
const batchSize = 500;

/** Deletes fields that can no longer be restored, with their values. */
@Injectable()
export class CustomFieldWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(purgeCustomField)
  async findExpired(): Promise<PendingJob<typeof purgeCustomField>[]> {
    const expired = await this.db.asSystem('find expired custom fields of all organizations', findExpiredFieldsAcrossOrganizations);
    return expired.map(({ organization_id, id }) => ({
      id,
      ctx: systemContext(organization_id, `custom-field-${id}`),
      data: { field_id: id },
    }));
  }

  /** A transaction per batch: a process that dies loses one batch, and the field's row stays until all values are removed. */
  @HandlesJob(purgeCustomField)
  async purge(ctx: TenantContext, { field_id }: JobDataOf<typeof purgeCustomField>): Promise<void> {
    while (await this.db.forTenant(ctx, (tx) => purgeNext(tx, field_id)));
  }
}

/** Returns whether there may be more values. */
async function purgeNext(tx: Parameters<typeof removeValues>[0], field_id: string): Promise<boolean> {
  const field = await findExpiredFieldForUpdate(tx, field_id);
  if (!field) return false;
  if ((await removeValues(tx, field.key, batchSize)) > 0) return true;
  await deleteCustomFieldRow(tx, field_id);
  return false;
}
