import { Injectable } from '@nestjs/common';
import { mailboxChanged, slaPolicyChanged, taskToolChanged, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { IdentityTables } from '../schema';
import { recordAudit } from './audit.store';

/** Who did it and from where; events from before addresses were recorded have none. */
const origin = (actor: Envelope['actor'], client: Envelope['client']): Pick<Context, 'actor' | 'client'> =>
  client === undefined ? { actor } : { actor, client };

const types = { created: 'sla_policy.created', updated: 'sla_policy.updated', deleted: 'sla_policy.deleted' } as const;

/** Which changes of other services' settings stand in the organization's log: those of its service-level policies, its mailbox and its task tools. */
@Injectable()
export class PolicyLog {
  /** From the beginning: the log has no gaps. An API token has no name in the log, as elsewhere. */
  @Consumes(slaPolicyChanged, { from: 'beginning' })
  async noteChangedPolicy(
    ctx: Context,
    { what, policy, changes }: DataOf<typeof slaPolicyChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: types[what],
      organization_id: ctx.organization_id,
      target: policy.name,
      ...(Object.keys(changes).length > 0 ? { changes } : {}),
    });
  }
  @Consumes(mailboxChanged, { from: 'beginning' })
  async noteChangedMailbox(
    ctx: Context,
    { what, username, host }: DataOf<typeof mailboxChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    await recordAudit(tx, origin(actor, client), {
      type: `mailbox.${what}`,
      organization_id: ctx.organization_id,
      target: `${username} at ${host}`,
    });
  }

  @Consumes(taskToolChanged, { from: 'beginning' })
  async noteChangedTaskTool(
    ctx: Context,
    { what, target, changes }: DataOf<typeof taskToolChanged>,
    tx: Tx<IdentityTables>,
    { actor, client }: Envelope,
  ): Promise<void> {
    const changed = Object.keys(changes).length > 0 ? { changes } : {};
    await recordAudit(tx, origin(actor, client), { type: what, organization_id: ctx.organization_id, target, ...changed });
  }
}
