import { brandingUpdated, memberUpdated, organizationUpdated, systemContext, widgetUpdated, wordingChanged } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { brandingOf } from '@tandem/identity/src/branding/branding';
import { findBranding } from '@tandem/identity/src/branding/branding.store';
import { findMembersAcrossOrganizations, findOrganizationsAcrossOrganizations } from '@tandem/identity/src/organization/snapshot.store';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { emit, emitAll } from '@tandem/messaging';

const batch = 100;

/** Sends the state of all organizations, members and settings again, as if each had just been changed. Returns the number of organizations. */
export async function resendIdentityState(url: string): Promise<number> {
  const db = new Database<IdentityTables>({ url, max: 2, applicationName: 'tandem-command' });
  try {
    let sent = 0;
    for (let after: string | null = null; ;) {
      const [organizations, members] = await db.asSystem('all organizations, after a restore', async (tx) => {
        const found = await findOrganizationsAcrossOrganizations(tx, 'infinity', after, batch);
        return [
          found,
          await findMembersAcrossOrganizations(
            tx,
            found.map(({ id }) => id),
          ),
        ] as const;
      });
      const teams = Map.groupBy(members, ({ organization_id }) => organization_id);
      for (const { sequence: _, ...organization } of organizations) {
        const ctx = systemContext(organization.id, 'restore');
        const team = (teams.get(organization.id) ?? []).map(({ sequence: _sequence, ...member }) => ({
          subject: member.user_id,
          data: { member },
        }));
        await db.forTenant(ctx, async (tx) => {
          await emit(tx, ctx, organizationUpdated, organization.id, { organization });
          await emitAll(tx, ctx, memberUpdated, team);
          const branding = await findBranding(tx, organization.id);
          if (branding) await emit(tx, ctx, brandingUpdated, organization.id, { branding: brandingOf(organization.id, branding) });
          const widget = await tx.selectFrom('widgets').selectAll().executeTakeFirst();
          if (widget) await emit(tx, ctx, widgetUpdated, organization.id, widget);
          for (const text of await tx.selectFrom('wording').selectAll().where('part', '=', 'email').execute())
            await emit(tx, ctx, wordingChanged, organization.id, text);
        });
      }
      sent += organizations.length;
      if (organizations.length < batch) return sent;
      after = organizations.at(-1)!.id;
    }
  } finally {
    await db.close();
  }
}
