import type { Macro, Ticket } from '@tandem/contracts';
import { http } from 'msw';
import { aComment, aMacro, backend } from './backend';
import { answer, api, changedValues, refuse, refuseWithoutFields, signedIn } from './responses';

const bodyOf = async (request: Request) => (await request.json()) as Record<string, never>;

/** One page of a list; the cursor is an offset here. */
function pageOf<T>(all: T[], url: URL) {
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 20);
  const next_cursor = from + limit < all.length ? String(from + limit) : null;
  return answer(all.slice(from, from + limit), { pagination: { page: null, limit, total: all.length, next_cursor } });
}

const ofTicket = (id: unknown, work: (ticket: Ticket) => ReturnType<typeof answer> | Promise<ReturnType<typeof answer>>) =>
  signedIn(() => {
    const ticket = backend.ticket(String(id));
    return ticket ? work(ticket) : refuse('ticket.not_found');
  });
const noDraft = { content: '', is_internal: false, updated_at: null, token: null };

function changedWatchers(ticket: Ticket, user_id: string, watches: boolean) {
  const others = ticket.watchers.filter((id) => id !== user_id);
  return answer(Object.assign(ticket, { watchers: watches ? [...others, user_id] : others, version: ticket.version + 1 }));
}

const commentHandlers = () => [
  http.get(api('/tickets/:id/comments'), ({ params, request }) =>
    ofTicket(params.id, ({ id }) => {
      const url = new URL(request.url);
      const comments = backend.comments.filter(({ ticket_id }) => ticket_id === id);
      return pageOf(url.searchParams.get('order') === 'desc' ? comments.reverse() : comments, url);
    }),
  ),
  http.post(api('/tickets/:id/comments'), async ({ params, request }) => {
    const { changes, last_seen_comment_id: seen, attachment_ids: _, ...body } = await bodyOf(request);
    return ofTicket(params.id, (ticket) => {
      const known = backend.comments.filter(({ ticket_id }) => ticket_id === ticket.id);
      const newer = known.slice(known.findIndex(({ id }) => id === seen) + 1);
      if (seen !== undefined && newer.some(({ user_id }) => user_id !== backend.me.user_id)) return refuse('comment.outdated');
      const refusal = refuseWithoutFields(ticket, changes ?? {});
      if (refusal) return refusal;
      const comment = aComment(ticket, { ...body, user_id: backend.me.user_id, author: backend.me });
      backend.comments.push(comment);
      backend.drafts.delete(ticket.id);
      const reminder = comment.is_internal ? {} : { task_finished_at: null };
      Object.assign(ticket, changes, changedValues(ticket, changes ?? {}), reminder, { version: ticket.version + 1 });
      return answer(comment, { status: 201 });
    });
  }),
  http.get(api('/tickets/:id/draft'), ({ params }) => ofTicket(params.id, ({ id }) => answer(backend.drafts.get(id) ?? noDraft))),
  http.put(api('/tickets/:id/draft'), async ({ params, request }) => {
    const body = await bodyOf(request);
    return ofTicket(params.id, ({ id }) => {
      const draft = { content: '', is_internal: false, ...body, updated_at: new Date().toISOString(), token: null };
      if (draft.content.trim() === '') backend.drafts.delete(id);
      else backend.drafts.set(id, draft);
      return answer(backend.drafts.get(id) ?? noDraft);
    });
  }),
];

const panelHandlers = () => [
  http.get(api('/tickets/:id/attachments'), () => signedIn(() => answer([]))),
  http.get(api('/tickets/:id/timeline'), ({ params, request }) =>
    ofTicket(params.id, ({ id }) => pageOf(backend.activities.filter(({ ticket_id }) => ticket_id === id).reverse(), new URL(request.url))),
  ),
  http.put(api('/tickets/:id/watchers/:userId'), ({ params }) =>
    ofTicket(params.id, (ticket) => changedWatchers(ticket, String(params.userId), true)),
  ),
  http.delete(api('/tickets/:id/watchers/:userId'), ({ params }) =>
    ofTicket(params.id, (ticket) => changedWatchers(ticket, String(params.userId), false)),
  ),
  http.post(api('/tickets/:id/merge'), async ({ params, request }) => {
    const { into_id } = await bodyOf(request);
    return ofTicket(params.id, (ticket) => {
      const target = backend.ticket(String(into_id));
      if (!target) return refuse('ticket.not_found');
      Object.assign(ticket, { status: 'closed', merged_into_id: target.id, version: ticket.version + 1 });
      return answer(target);
    });
  }),
];

const macroHandlers = () => [
  http.get(api('/macros'), () => signedIn(() => answer(backend.macros))),
  http.post(api('/macros'), async ({ request }) => {
    const macro = aMacro({ ...(await bodyOf(request)), owner_id: backend.me.user_id });
    backend.macros.push(macro);
    return answer(macro, { status: 201 });
  }),
  http.patch(api('/macros/:id'), async ({ params, request }) => {
    const macro = backend.macros.find(({ id }) => id === params.id);
    return macro ? answer(Object.assign(macro, (await bodyOf(request)) as Partial<Macro>)) : refuse('macro.not_found');
  }),
  http.delete(api('/macros/:id'), ({ params }) => {
    backend.macros = backend.macros.filter(({ id }) => id !== params.id);
    return answer({});
  }),
];

const customerHandlers = () => [
  http.get(api('/tickets/:id/emails'), ({ params }) => ofTicket(params.id, () => answer(backend.emails))),
  http.get(api('/tickets/:id/survey'), ({ params }) => ofTicket(params.id, () => answer(backend.survey))),
  http.get(api('/tickets/:id/original'), ({ params }) =>
    ofTicket(params.id, () => (backend.original ? answer(backend.original) : refuse('email.not_found'))),
  ),
  http.post(api('/emails/:id/retry'), ({ params }) => {
    const mail = backend.emails.emails.find(({ id }) => id === params.id);
    if (!mail) return refuse('email.not_found');
    backend.emails = { emails: backend.emails.emails, bounced: [] };
    return answer(Object.assign(mail, { state: 'pending', last_error: null }));
  }),
];

/** Handlers for a ticket's page. A function, because this module and server.ts import each other. */
export const conversationHandlers = () => [...commentHandlers(), ...panelHandlers(), ...customerHandlers(), ...macroHandlers()];
