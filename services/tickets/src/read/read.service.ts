import { Controller } from '@nestjs/common';
import {
  AppError,
  markTicketRead,
  markTicketUnread,
  readPosition,
  ticketMarkedUnread,
  ticketRead,
  type InputOf,
  type ReadPosition,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { requireUser } from '../caller';
import type { TicketsSchema } from '../schema';
import { findReadPosition, moveBack, moveForward, type ReadKey } from './read.store';

const keyOf = (ctx: TenantContext, ticket_id: string): ReadKey => ({
  organization_id: ctx.organization_id,
  user_id: requireUser(ctx).user_id,
  ticket_id,
});

/** How far each user has read each ticket. */
@Controller()
export class ReadService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readPosition)
  async read(ctx: TenantContext, { params }: InputOf<typeof readPosition>): Promise<ReadPosition> {
    const position = await this.db.readTenant(ctx, (tx) => findReadPosition(tx, keyOf(ctx, params.id)), { isPrepared: true });
    if (!position) throw new AppError('ticket.not_found');
    return position;
  }

  @Handles(markTicketRead)
  markRead(ctx: TenantContext, { params, body }: InputOf<typeof markTicketRead>): Promise<ReadPosition> {
    const key = keyOf(ctx, params.id);
    return this.db.forTenant(ctx, async (tx) => {
      const moved = await moveForward(tx, key, body.until);
      if (moved) {
        await emit(tx, ctx, ticketRead, key.ticket_id, { ticket_id: key.ticket_id, user_id: key.user_id });
        return moved;
      }
      const position = await findReadPosition(tx, key);
      if (!position) throw new AppError('ticket.not_found');
      return position;
    });
  }

  @Handles(markTicketUnread)
  markUnread(ctx: TenantContext, { params }: InputOf<typeof markTicketUnread>): Promise<ReadPosition> {
    const key = keyOf(ctx, params.id);
    return this.db.forTenant(ctx, async (tx) => {
      const moved = await moveBack(tx, key);
      if (!moved) throw new AppError('ticket.not_found');
      await emit(tx, ctx, ticketMarkedUnread, key.ticket_id, { ticket_id: key.ticket_id, user_id: key.user_id });
      return moved;
    });
  }
}
