import { Injectable } from '@nestjs/common';
import {
  memberDeactivated,
  unassignTickets,
  systemContext,
  type DataOf,
  type Envelope,
  type JobDataOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Consumes, Jobs, Recovers, HandlesJob } from '@tandem/messaging';
import { saveMember } from '../projection/identity-projection.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { changeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate } from '../ticket/ticket.store';
import {
  assignsAutomatically,
  deletePendingUnassignment,
  findOpenTicketsOf,
  findPendingUnassignmentsAcrossOrganizations,
  insertPendingUnassignment,
  isInactiveMember,
  isOpen,
} from './assignment.store';
import { assignNext } from './auto-assignment';

/** Tickets read per batch. Each is changed in its own transaction, so that no lock lasts longer than one change. */
const batchSize = 100;

const jobId = (organization_id: string | null, user_id: string) => `${organization_id}_${user_id}`;

/** Unassigns the open tickets of a deactivated agent. If the agent is reactivated before the last one, the remaining ones stay assigned. */
@Injectable()
export class UnassignInactive {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
  ) {}

  /** Also marks the member inactive, because `member.updated` may arrive later; the older of the two events changes nothing. */
  @Consumes(memberDeactivated, { name: 'unassign-inactive', from: 'beginning' })
  async startUnassigning(
    ctx: TenantContext,
    { member }: DataOf<typeof memberDeactivated>,
    tx: TicketsTx,
    envelope: Envelope,
  ): Promise<void> {
    await saveMember(tx, member, envelope.sequence);
    const { organization_id, user_id } = member;
    if (!(await insertPendingUnassignment(tx, member))) return;
    this.jobs.add(tx, ctx, unassignTickets, { user_id }, { id: jobId(organization_id, user_id) });
  }

  @HandlesJob(unassignTickets)
  async unassignAll(ctx: TenantContext, { user_id }: JobDataOf<typeof unassignTickets>): Promise<void> {
    for (;;) {
      const ids = await this.db.forTenant(ctx, (tx) => this.remaining(tx, user_id));
      if (ids.length === 0) return;
      for (const id of ids) await this.db.forTenant(ctx, (tx) => this.unassign(tx, ctx, user_id, id));
    }
  }

  @Recovers(unassignTickets)
  async findUnfinished() {
    const pending = await this.db.asSystem(
      'find unfinished unassignments of all organizations',
      findPendingUnassignmentsAcrossOrganizations,
    );
    return pending.map(({ organization_id, user_id }) => {
      const id = jobId(organization_id, user_id);
      return { id, ctx: systemContext(organization_id, `sweep-${user_id}`), data: { user_id } };
    });
  }

  /** The next ticket ids; none if all are done or the member is active again, which deletes the row in this transaction. */
  private async remaining(tx: TicketsTx, user_id: string): Promise<string[]> {
    const ids = (await isInactiveMember(tx, user_id)) ? await findOpenTicketsOf(tx, user_id, batchSize) : [];
    if (ids.length === 0) await deletePendingUnassignment(tx, user_id);
    return ids;
  }

  private async unassign(tx: TicketsTx, ctx: TenantContext, user_id: string, id: string): Promise<void> {
    const ticket = await findTicketForUpdate(tx, id);
    if (!ticket || ticket.assigned_to !== user_id || !isOpen(ticket) || !(await isInactiveMember(tx, user_id))) return;
    if (await assignsAutomatically(tx)) await assignNext(tx, ctx, ticket);
    else await changeTicket(tx, ctx, id, { assigned_to: null });
  }
}
