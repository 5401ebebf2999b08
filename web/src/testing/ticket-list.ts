import type { BulkChange, SaveListPreferences, Ticket, TicketFilter, View, ViewFilter } from '@tandem/contracts';
import { decodeList, matches as meets } from '@tandem/contracts/values';
import { http } from 'msw';
import { aView, backend } from './backend';
import { answer, api, refuse, refuseWithoutFields, signedIn } from './responses';

type Filter = Partial<TicketFilter>;
const has = <T>(wanted: readonly T[] | undefined, value: T) => !wanted || wanted.length === 0 || wanted.includes(value);
const assigned = (wanted: string | undefined, id: string | null) =>
  !wanted || (wanted === 'unassigned' ? id === null : id === (wanted === 'me' ? backend.me.user_id : wanted));

const byTask: Record<NonNullable<ViewFilter['task']>, (ticket: Ticket) => boolean> = {
  linked: ({ task }) => task !== null,
  unlinked: ({ task }) => task === null,
  finished: ({ task_finished_at }) => task_finished_at !== null,
};
const matches = (filter: Filter | ViewFilter) => (ticket: Ticket) =>
  (!filter.search || `${ticket.ticket_number} ${ticket.subject}`.toLowerCase().includes(filter.search.toLowerCase())) &&
  has(filter.status, ticket.status) &&
  has(filter.priority, ticket.priority) &&
  assigned(filter.assignee, ticket.assigned_to) &&
  (!filter.category || ticket.category === filter.category) &&
  (!filter.tag || filter.tag.length === 0 || filter.tag.some((tag) => ticket.tags.includes(tag))) &&
  (!filter.condition || meets(filter.condition, { ...ticket, now_ms: Date.now() })) &&
  (!filter.task || byTask[filter.task](ticket)) &&
  (!filter.snoozed || (ticket.snoozed_at !== null) === (filter.snoozed === 'true'));

const matchesAll = (filter: Filter) => (ticket: Ticket) =>
  matches(filter)(ticket) &&
  (!filter.customer_email || ticket.customer_email === filter.customer_email) &&
  (!filter.created_from || ticket.created_at >= filter.created_from) &&
  (!filter.created_to || ticket.created_at < filter.created_to) &&
  has(filter.ids, ticket.id);

const lists = new Set(['status', 'priority', 'tag', 'ids']);
/** Filters tickets by the query as the contract defines it. The order is the one that the test arranged. */
function listTickets(url: URL) {
  const query = [...url.searchParams].map(([name, value]) => [
    name,
    lists.has(name) ? decodeList(value) : name === 'condition' ? (JSON.parse(value) as unknown) : value,
  ]);
  const filter = Object.fromEntries(query) as Filter;
  const found = backend.tickets.filter(matchesAll(filter));
  const from = Number(filter.cursor ?? 0);
  const limit = Number(filter.limit ?? 20);
  const items = found.slice(from, from + limit).map(({ description, organization_id: _, custom_fields: __, ...ticket }) => ({
    ...ticket,
    description_preview: description,
    is_unread: backend.unread.has(ticket.id),
  }));
  return answer(items, {
    pagination: { page: null, limit, total: found.length, next_cursor: from + limit < found.length ? String(from + limit) : null },
  });
}

const stillToDo = ['open', 'in_progress', 'waiting_for_customer'] as const;
const counted = (filter: ViewFilter) => ({ count: backend.tickets.filter(matches(filter)).length, is_capped: false });
const readUntil = (id: string) => {
  const ticket = backend.ticket(id);
  return backend.unread.has(id) ? null : (ticket?.last_comment_at ?? ticket?.created_at ?? null);
};
const viewOf = (id: unknown) => backend.views.find((view) => view.id === id);

function changed(ticket: Ticket, { add_tags = [], remove_tags = [], ...changes }: BulkChange['changes']): Ticket {
  const tags = [...new Set([...ticket.tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag));
  const assignee =
    changes.assigned_to === undefined ? ticket.assignee : (backend.members.find((each) => each.user_id === changes.assigned_to) ?? null);
  return Object.assign(ticket, changes, { tags, assignee, version: ticket.version + 1 });
}

export const ticketListHandlers = () => [
  http.get(api('/tickets'), ({ request }) => signedIn(() => listTickets(new URL(request.url)))),
  http.post(api('/tickets/bulk'), async ({ request }) => {
    const { ids, changes } = (await request.json()) as BulkChange;
    return answer(
      ids.map((id) => {
        const ticket = backend.ticket(id);
        if (!ticket) return { id, ticket: null, code: 'ticket.not_found' };
        if (refuseWithoutFields(ticket, changes)) return { id, ticket: null, code: 'request.invalid' };
        return { id, ticket: changed(ticket, changes), code: null };
      }),
    );
  }),
  http.get(api('/tickets/:id/read'), ({ params }) => answer({ read_until: readUntil(String(params.id)) })),
  http.put(api('/tickets/:id/read'), ({ params }) => {
    backend.unread.delete(String(params.id));
    return answer({ read_until: readUntil(String(params.id)) });
  }),
  http.delete(api('/tickets/:id/read'), ({ params }) => {
    backend.unread.add(String(params.id));
    return answer({ read_until: readUntil(String(params.id)) });
  }),
  http.put(api('/tickets/:id/snooze'), async ({ params, request }) => {
    const ticket = backend.ticket(String(params.id));
    if (!ticket) return refuse('ticket.not_found');
    const { until } = (await request.json()) as { until: string | null };
    return answer(Object.assign(ticket, { snoozed_at: new Date().toISOString(), snoozed_until: until, version: ticket.version + 1 }));
  }),
  http.delete(api('/tickets/:id/snooze'), ({ params }) => {
    const ticket = backend.ticket(String(params.id));
    if (!ticket) return refuse('ticket.not_found');
    return answer(Object.assign(ticket, { snoozed_at: null, snoozed_until: null, version: ticket.version + 1 }));
  }),
  http.get(api('/views'), () => answer(backend.views)),
  http.get(api('/views/counts'), () =>
    answer({
      all: counted({}),
      open: counted({ status: ['open', 'in_progress'], snoozed: 'false' }),
      mine: counted({ assignee: 'me', status: [...stillToDo], snoozed: 'false' }),
      unassigned: counted({ assignee: 'unassigned', status: [...stillToDo], snoozed: 'false' }),
      snoozed: counted({ snoozed: 'true' }),
      finished_task: counted({ task: 'finished' }),
      views: Object.fromEntries(backend.views.map((view) => [view.id, counted(view.filter)])),
      saved: backend.views,
      density: backend.listPreferences?.density ?? null,
      group_by: backend.listPreferences?.group_by ?? null,
      columns: backend.listPreferences?.columns ?? null,
    }),
  ),
  http.put(api('/list-preferences'), async ({ request }) => {
    const chosen = (await request.json()) as SaveListPreferences;
    backend.listPreferences = { density: 'comfortable', group_by: null, columns: null, ...backend.listPreferences, ...chosen };
    return answer(backend.listPreferences);
  }),
  http.post(api('/views'), async ({ request }) => {
    const view = aView((await request.json()) as Partial<View>);
    backend.views.push(view);
    return answer(view, { status: 201 });
  }),
  http.patch(api('/views/:id'), async ({ params, request }) => {
    const view = viewOf(params.id);
    return view ? answer(Object.assign(view, await request.json())) : refuse('view.not_found');
  }),
  http.delete(api('/views/:id'), ({ params }) => {
    backend.views = backend.views.filter(({ id }) => id !== params.id);
    return answer({});
  }),
  http.get(api('/sla-policies'), () => answer([])),
];
