import { Injectable } from '@nestjs/common';
import { ruleNeedsAttention, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import { ruleProblem } from '../email/templates/rule-problem';
import type { NotificationsSchema } from '../schema';
import { AdminNotices } from './admin-notices';

/** Notifies admins of a rule that was turned off, cut off or paused. The event is emitted once per rule and problem. */
@Injectable()
export class RuleNotices {
  constructor(private readonly admins: AdminNotices) {}

  @Consumes(ruleNeedsAttention, { name: 'rule-notifications', from: 'now' })
  async onProblem(
    ctx: TenantContext,
    data: DataOf<typeof ruleNeedsAttention>,
    tx: Tx<NotificationsSchema>,
    envelope: Envelope,
  ): Promise<void> {
    const { what, next } = ruleProblem(data);
    await this.admins.notify(tx, ctx, envelope, {
      notice: { kind: 'rule_failing', ticket_id: null, ticket_number: null, subject: `${what} ${next}` },
      topic: 'rules',
      email: { kind: 'staff_rule_failing', data },
    });
  }
}
