import { Injectable } from '@nestjs/common';
import { brandingUpdated, organizationCreated, organizationUpdated, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

/** Stores the organization data that emails contain: name, subdomain and branding. */
@Injectable()
export class OrganizationProjection {
  @Consumes(organizationCreated, { name: 'organization-created-projection', from: 'beginning' })
  async onOrganizationCreated(_ctx: Context, data: DataOf<typeof organizationCreated>, tx: Tx<NotificationsSchema>, envelope: Envelope) {
    await saveOrganization(tx, data.organization, envelope.sequence);
  }

  @Consumes(organizationUpdated, { name: 'organization-updated-projection', from: 'beginning' })
  async onOrganizationUpdated(_ctx: Context, data: DataOf<typeof organizationUpdated>, tx: Tx<NotificationsSchema>, envelope: Envelope) {
    await saveOrganization(tx, data.organization, envelope.sequence);
  }

  @Consumes(brandingUpdated, { name: 'branding-projection', from: 'beginning' })
  async onBrandingUpdated(_ctx: Context, data: DataOf<typeof brandingUpdated>, tx: Tx<NotificationsSchema>, { sequence }: Envelope) {
    const branding = JSON.stringify(data.branding);
    await tx
      .insertInto('branding')
      .values({ organization_id: data.branding.organization_id, branding, sequence })
      .onConflict((conflict) =>
        conflict
          .column('organization_id')
          .doUpdateSet({ branding, sequence })
          .where(sql<boolean>`branding.sequence < excluded.sequence`),
      )
      .execute();
  }
}

/** Events may arrive out of order; an older one changes nothing. */
async function saveOrganization(
  tx: Tx<NotificationsSchema>,
  { id, name, subdomain }: { id: string; name: string; subdomain: string | null },
  sequence: number,
) {
  await tx
    .insertInto('organizations')
    .values({ organization_id: id, name, subdomain, sequence })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ name, subdomain, sequence }).where('organizations.sequence', '<', sequence),
    )
    .execute();
}
