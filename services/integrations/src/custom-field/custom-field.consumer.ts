import { Injectable } from '@nestjs/common';
import { customFieldChanged, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import { scheduleSync } from '../engine/schedule-sync';
import type { IntegrationsTx } from '../schema';
import { markLinksWithValueDue, saveDefinition } from './custom-field.store';

/** Keeps the organization's custom fields, whose values are sent to the tasks' custom fields with the same name. */
@Injectable()
export class CustomFieldDefinitions {
  constructor(private readonly jobs: Jobs) {}

  /** A ticket with a value may arrive before the field, so the tickets that have a value of it are compared with their tasks again. */
  @Consumes(customFieldChanged, { name: 'custom-field-definitions', from: 'beginning' })
  async onChanged(
    ctx: TenantContext,
    { what, field }: DataOf<typeof customFieldChanged>,
    tx: IntegrationsTx,
    { sequence }: Envelope,
  ): Promise<void> {
    const { organization_id } = ctx;
    if (!(await saveDefinition(tx, organization_id, field, { sequence, is_deleted: what === 'deleted' }))) return;
    for (const connection_id of await markLinksWithValueDue(tx, organization_id, field.key))
      scheduleSync(this.jobs, tx, ctx, connection_id);
  }
}
