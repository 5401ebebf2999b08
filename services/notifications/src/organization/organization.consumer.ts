import { Injectable } from '@nestjs/common';
import {
  brandingUpdated,
  organizationCreated,
  organizationUpdated,
  wordingChanged,
  type Context,
  type DataOf,
  type Envelope,
  type Organization,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';

/** Stores the organization data that emails contain: name, subdomain, languages, branding and its own texts. */
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

  /** Keeps the texts of emails only. A restored text stays as a row without text, so that an older event cannot add it again. */
  @Consumes(wordingChanged, { name: 'wording-projection', from: 'beginning' })
  async onWordingChanged(_ctx: Context, data: DataOf<typeof wordingChanged>, tx: Tx<NotificationsSchema>, { sequence }: Envelope) {
    const { organization_id, part, language, key, text } = data;
    if (part !== 'email') return;
    await tx
      .insertInto('wording')
      .values({ organization_id, language, key, text, sequence })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'language', 'key'])
          .doUpdateSet({ text, sequence })
          .where(sql<boolean>`wording.sequence < excluded.sequence`),
      )
      .execute();
  }
}

/** Events may arrive out of order; an older one changes nothing. */
async function saveOrganization(
  tx: Tx<NotificationsSchema>,
  { id, name, subdomain, languages, demo_ends_at }: Organization,
  sequence: number,
) {
  const state = { name, subdomain, languages: JSON.stringify(languages), is_demo: demo_ends_at !== null, sequence };
  await tx
    .insertInto('organizations')
    .values({ organization_id: id, ...state })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(state).where('organizations.sequence', '<', sequence))
    .execute();
}
