import { Injectable } from '@nestjs/common';
import {
  memberJoined,
  memberSnapshots,
  memberUpdated,
  organizationCreated,
  organizationSnapshot,
  organizationUpdated,
  type DataOf,
  type Envelope,
  type Member,
  type Organization,
  type TenantContext,
} from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import { incrementVersion } from '../organization/organization.store';
import { rebuildDays, rebuildFromTickets } from '../rebuild/rebuild';
import { findRebuildForUpdate } from '../rebuild/rebuild.store';
import { removeRecipient, rescheduleReports } from '../report/report.store';
import type { AnalyticsTx } from '../schema';
import { saveMember, saveTimeZone } from './identity-projection.store';

/** A copy of identity's time zones and members. */
@Injectable()
export class IdentityProjection {
  @Consumes(organizationCreated, { name: 'organization-created-projection', from: 'beginning' })
  onCreated(ctx: TenantContext, data: DataOf<typeof organizationCreated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyTimeZone(tx, ctx, data.organization, envelope);
  }

  @Consumes(organizationUpdated, { name: 'organization-updated-projection', from: 'beginning' })
  onUpdated(ctx: TenantContext, data: DataOf<typeof organizationUpdated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyTimeZone(tx, ctx, data.organization, envelope);
  }

  @Consumes(memberJoined, { name: 'member-joined-projection', from: 'beginning' })
  onJoined(_ctx: TenantContext, data: DataOf<typeof memberJoined>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyMember(tx, data.member, envelope.sequence);
  }

  @Consumes(memberUpdated, { name: 'member-updated-projection', from: 'beginning' })
  onMemberUpdated(_ctx: TenantContext, data: DataOf<typeof memberUpdated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyMember(tx, data.member, envelope.sequence);
  }

  /** For a new database: saves the time zone, and requests all tickets unless that has been done. */
  @Consumes(organizationSnapshot, { name: 'organization-snapshot-projection', from: 'beginning' })
  async onSnapshot(
    ctx: TenantContext,
    { organization, sequence }: DataOf<typeof organizationSnapshot>,
    tx: AnalyticsTx,
    envelope: Envelope,
  ): Promise<void> {
    await applyTimeZone(tx, ctx, organization, { ...envelope, sequence });
    if ((await findRebuildForUpdate(tx))?.step !== 'history') await rebuildFromTickets(tx, ctx);
  }

  @Consumes(memberSnapshots, { name: 'member-snapshots-projection', from: 'beginning' })
  async onMemberSnapshots(_ctx: TenantContext, { members }: DataOf<typeof memberSnapshots>, tx: AnalyticsTx): Promise<void> {
    for (const { member, sequence } of members) await applyMember(tx, member, sequence);
  }
}

/** The events of an organization's first hour may arrive in another order, because each type has its own consumer. */
const firstHourMs = 3_600_000;

/**
 * A changed time zone moves tickets to other days. If the first event that arrives about an organization is a later one, the stream no
 * longer has the organization's beginning, as in a new installation of this service: then the tickets service sends all tickets.
 */
async function applyTimeZone(
  tx: AnalyticsTx,
  ctx: TenantContext,
  { time_zone, created_at }: Pick<Organization, 'time_zone' | 'created_at'>,
  { sequence, time }: Envelope,
): Promise<void> {
  // A step of a rebuild locks these rows in the same order.
  await findRebuildForUpdate(tx);
  const before = await saveTimeZone(tx, ctx.organization_id, time_zone, sequence);
  if (!before) return;
  const isLater = before.sequence === 0 && sequence > 1 && Date.parse(created_at) + firstHourMs < Date.parse(time);
  if (isLater) await rebuildFromTickets(tx, ctx);
  else if (before.time_zone !== time_zone && before.total > 0) await rebuildDays(tx, ctx.organization_id);
  if (before.time_zone !== time_zone) await rescheduleReports(tx, time_zone, new Date().toISOString());
}

async function applyMember(tx: AnalyticsTx, member: Member, sequence: number): Promise<void> {
  if (!(await saveMember(tx, member, sequence))) return;
  if (!member.is_active || member.role === 'agent') await removeRecipient(tx, member.user_id);
  await incrementVersion(tx);
}
