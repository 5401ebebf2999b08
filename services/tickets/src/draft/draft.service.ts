import { Controller } from '@nestjs/common';
import {
  AppError,
  draftReply,
  readDraft,
  saveDraft,
  ticketReplyDrafted,
  type Context,
  type Draft,
  type InputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { actingToken, requireUser } from '../caller';
import { checkDemoQuota } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { assertNotAnonymized, assertNotMerged, checkTicket, getTicket, getTicketForUpdate, notAMember } from '../ticket/ticket.service';
import { isActiveMember } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';
import { findDraft, removeDraft, upsertDraft, upsertDraftOfToken } from './draft.store';

const none: Draft = { content: '', is_internal: false, updated_at: null, token: null };

/** Unsent comments. No user can read another's draft; a token can write one, but reads only its own text. */
@Controller()
export class DraftService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(readDraft)
  read(ctx: Context, { params }: InputOf<typeof readDraft>): Promise<Draft> {
    const { user_id } = requireUser(ctx);
    const read = async (tx: TicketsTx) => {
      const [draft] = await Promise.all([findDraft(tx, user_id, params.id), checkTicket(tx, params.id)]);
      return draft ?? none;
    };
    return this.db.readTenant(ctx, read, { isPrepared: true });
  }

  @Handles(saveDraft)
  save(ctx: TenantContext, { params, body }: InputOf<typeof saveDraft>): Promise<Draft> {
    const { user_id } = requireUser(ctx);
    return this.db.forTenant(ctx, async (tx) => {
      await checkTicket(tx, params.id);
      await checkDemoQuota(tx, ctx, body.content);
      const key = { organization_id: ctx.organization_id, user_id, ticket_id: params.id };
      if (body.content.trim() !== '') {
        const draft = await upsertDraft(tx, { ...key, ...body, updated_at: new Date().toISOString() });
        // Only now, because the insert has waited for a transaction that anonymizes the ticket.
        assertNotAnonymized(await getTicket(tx, params.id));
        return draft;
      }
      await removeDraft(tx, user_id, params.id);
      return none;
    });
  }

  @Handles(draftReply)
  draftReply(ctx: TenantContext, { params, body }: InputOf<typeof draftReply>): Promise<Draft> {
    const token = actingToken(ctx)!;
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = await getTicketForUpdate(tx, params.id);
      assertNotAnonymized(ticket);
      await assertNotMerged(tx, ticket);
      if (!(await isActiveMember(tx, params.userId))) throw notAMember('userId');
      const now = new Date().toISOString();
      const key = { organization_id: ctx.organization_id, user_id: params.userId, ticket_id: ticket.id };
      const before = await findDraft(tx, params.userId, ticket.id);
      if (before?.token?.id === token.id && before.content === body.content) return storeResponse(tx, before);
      const draft = await upsertDraftOfToken(tx, { ...key, ...body, is_internal: false, updated_at: now, token });
      if (draft === undefined) throw new AppError('draft.exists');
      recordActivity(tx, ctx, ticket, 'reply_drafted', { drafted_for: { from: null, to: params.userId } }, now);
      await emit(tx, ctx, ticketReplyDrafted, ticket.id, { ticket_id: ticket.id, user_id: params.userId, token });
      return storeResponse(tx, draft);
    });
  }
}
