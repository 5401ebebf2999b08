import { Controller } from '@nestjs/common';
import { readDraft, saveDraft, type Context, type Draft, type InputOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { requireUser } from '../caller';
import type { TicketsSchema } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { findDraft, upsertDraft, removeDraft } from './draft.store';

const none: Draft = { content: '', is_internal: false, updated_at: null };

/** Unsent comments. Every query filters by the calling user, so that no user can read another's draft. */
@Controller()
export class DraftService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readDraft)
  read(ctx: Context, { params }: InputOf<typeof readDraft>): Promise<Draft> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      await checkTicket(tx, params.id);
      return (await findDraft(tx, user_id, params.id)) ?? none;
    });
  }

  @Handles(saveDraft)
  save(ctx: TenantContext, { params, body }: InputOf<typeof saveDraft>): Promise<Draft> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      await checkTicket(tx, params.id);
      const key = { organization_id: ctx.organization_id, user_id, ticket_id: params.id };
      if (body.content.trim() !== '') return upsertDraft(tx, { ...key, ...body, updated_at: new Date().toISOString() });
      await removeDraft(tx, user_id, params.id);
      return none;
    });
  }
}
