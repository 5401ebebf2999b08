import { Controller } from '@nestjs/common';
import {
  AppError,
  createSlaPolicy,
  deleteSlaPolicy,
  listSlaPolicies,
  readTicketSla,
  slaLimits,
  slaPolicyChanged,
  updateSlaPolicy,
  type Changes,
  type Context,
  type InputOf,
  type SlaPolicy,
  type TicketSla,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import type { TicketsSchema, TicketsTx } from '../schema';
import { getTicket } from '../ticket/ticket.service';
import { slaView } from './sla';
import {
  countPolicies,
  deletePolicy,
  findTimers,
  findPolicies,
  findPolicyForUpdate,
  insertPolicy,
  lockPolicies,
  deactivatePolicy,
  updatePolicy,
} from './sla.store';

/** SLA policies, and the timers that they set. */
@Controller()
export class SlaService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listSlaPolicies)
  list(ctx: Context): Promise<SlaPolicy[]> {
    return this.db.forTenant(ctx, findPolicies);
  }

  @Handles(createSlaPolicy)
  create(ctx: Context, { body }: InputOf<typeof createSlaPolicy>): Promise<SlaPolicy> {
    return this.db.forTenant(ctx, async (tx) => storeResponse(tx, await addPolicy(tx, ctx, body)));
  }

  @Handles(updateSlaPolicy)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateSlaPolicy>): Promise<SlaPolicy> {
    return this.db.forTenant(ctx, (tx) => changePolicy(tx, ctx, params.id, body));
  }

  @Handles(deleteSlaPolicy)
  remove(ctx: Context, { params }: InputOf<typeof deleteSlaPolicy>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const policy = await deletePolicy(tx, params.id);
      if (!policy) throw new AppError('sla_policy.not_found');
      await emit(tx, ctx, slaPolicyChanged, policy.id, { what: 'deleted', policy, changes: {} });
      return {};
    });
  }

  @Handles(readTicketSla)
  read(ctx: Context, { params }: InputOf<typeof readTicketSla>): Promise<TicketSla | null> {
    return this.db.readTenant(ctx, async (tx) => {
      const ticket = await getTicket(tx, params.id);
      const found = await findTimers(tx, ticket);
      return found ? slaView(ticket, found.timers, found.calendar, new Date().toISOString()) : null;
    });
  }
}

/** At most one policy per priority is active: the previous one is deactivated, and both changes are announced. */
export async function addPolicy(tx: TicketsTx, ctx: Context, input: InputOf<typeof createSlaPolicy>['body']): Promise<SlaPolicy> {
  if (ctx.organization_id === null) throw new AppError('organization.required');
  await lockPolicies(tx, ctx.organization_id);
  if ((await countPolicies(tx)) >= slaLimits.policies) throw new AppError('sla_policy.too_many');
  const policy = { organization_id: ctx.organization_id, id: newId(), ...input, created_at: new Date().toISOString() };
  await deactivateCurrentPolicy(tx, ctx, policy);
  await insertPolicy(tx, policy);
  await emit(tx, ctx, slaPolicyChanged, policy.id, { what: 'created', policy, changes: {} });
  return policy;
}

async function changePolicy(
  tx: TicketsTx,
  ctx: TenantContext,
  id: string,
  wanted: InputOf<typeof updateSlaPolicy>['body'],
): Promise<SlaPolicy> {
  await lockPolicies(tx, ctx.organization_id);
  const before = await findPolicyForUpdate(tx, id);
  if (!before) throw new AppError('sla_policy.not_found');
  const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (field) => wanted[field] !== undefined && wanted[field] !== before[field],
  );
  if (fields.length === 0) return before;
  await deactivateCurrentPolicy(tx, ctx, { ...before, ...wanted });
  const policy = await updatePolicy(tx, id, wanted);
  const changes: Changes = Object.fromEntries(fields.map((field) => [field, { from: before[field], to: policy[field] }]));
  await emit(tx, ctx, slaPolicyChanged, id, { what: 'updated', policy, changes });
  return policy;
}

async function deactivateCurrentPolicy(tx: TicketsTx, ctx: Context, { id, priority_level, is_active }: SlaPolicy): Promise<void> {
  const retired = is_active ? await deactivatePolicy(tx, priority_level, id) : undefined;
  if (!retired) return;
  const changes = { is_active: { from: true, to: false } };
  await emit(tx, ctx, slaPolicyChanged, retired.id, { what: 'updated', policy: retired, changes });
}
