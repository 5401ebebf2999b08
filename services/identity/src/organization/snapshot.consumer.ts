import { Injectable } from '@nestjs/common';
import {
  analyticsInstalled,
  memberSnapshots,
  organizationSnapshot,
  organizationSnapshotsContinued,
  type Context,
  type DataOf,
  type Envelope,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes, emit } from '@tandem/messaging';
import type { IdentityTables } from '../schema';
import { findMembersAcrossOrganizations, findOrganizationsAcrossOrganizations } from './snapshot.store';

/** Organizations per event; each is one transaction. */
const batch = 100;
/** An event of this many members is about 200 kB: the broker accepts 1 MB. */
const maxMembers = 500;

/**
 * Sends all organizations and members to a new installation of analytics, in batches: the transaction of each batch emits the event that
 * requests the next one.
 */
@Injectable()
export class SnapshotConsumer {
  @Consumes(analyticsInstalled, { name: 'first-organization-snapshots', from: 'beginning' })
  onInstalled(
    ctx: Context,
    { installed_at }: DataOf<typeof analyticsInstalled>,
    tx: Tx<IdentityTables>,
    { subject }: Envelope,
  ): Promise<void> {
    return sendSnapshots(tx, ctx, subject, installed_at, null);
  }

  @Consumes(organizationSnapshotsContinued, { name: 'further-organization-snapshots', from: 'beginning' })
  onContinued(
    ctx: Context,
    { created_before, after_id }: DataOf<typeof organizationSnapshotsContinued>,
    tx: Tx<IdentityTables>,
    { subject }: Envelope,
  ): Promise<void> {
    return sendSnapshots(tx, ctx, subject, created_before, after_id);
  }
}

async function sendSnapshots(tx: Tx<IdentityTables>, ctx: Context, subject: string, created_before: string, after_id: string | null) {
  const organizations = await findOrganizationsAcrossOrganizations(tx, created_before, after_id, batch);
  const ids = organizations.map(({ id }) => id);
  const members = Map.groupBy(await findMembersAcrossOrganizations(tx, ids), ({ organization_id }) => organization_id);
  for (const { sequence, ...organization } of organizations) {
    const { id: organization_id } = organization;
    const tenant = { ...ctx, organization_id };
    await emit(tx, tenant, organizationSnapshot, organization_id, { organization, sequence });
    const team = (members.get(organization_id) ?? []).map(({ sequence, ...member }) => ({ member, sequence }));
    for (let n = 0; n < team.length; n += maxMembers)
      await emit(tx, tenant, memberSnapshots, organization_id, { members: team.slice(n, n + maxMembers) });
  }
  if (organizations.length < batch) return;
  await emit(tx, ctx, organizationSnapshotsContinued, subject, { created_before, after_id: ids.at(-1)! });
}
