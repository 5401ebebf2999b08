import type { Ticket, TicketPage, TicketPagePart } from '@tandem/contracts';
import { http, HttpResponse } from 'msw';
import { answer, api, signedIn } from './responses';

/** Marks requests that the gateway, not the browser, would send to compose a page. */
export const composing = 'x-composing';

type Parts = { [Part in TicketPagePart]: ((ticket: Ticket) => string | undefined) | string };
/** Path of each part below the ticket's path, undefined where the gateway does not request it. */
const parts: Parts = {
  comments: '/comments?order=desc&limit=50',
  sla: ({ response_due_at, resolution_due_at }) => (response_due_at || resolution_due_at ? '/sla' : undefined),
  draft: '/draft',
  read_position: '/read',
  attachments: '/attachments',
  customer_tickets: ({ customer_email }) => `?customer_email=${encodeURIComponent(customer_email)}&limit=6`,
  task: '/task',
  emails: '/emails',
  timeline: '/timeline?limit=20',
  survey: ({ resolved_at, status }) => (resolved_at || status === 'closed' ? '/survey' : undefined),
};
const paged: ReadonlySet<string> = new Set(['comments', 'customer_tickets', 'timeline']);

const ask = (path: string) => fetch(api(path), { headers: { [composing]: 'yes' } });

async function read(ticket: Ticket, part: TicketPagePart): Promise<unknown> {
  const address = parts[part];
  const below = typeof address === 'string' ? address : address(ticket);
  if (below === undefined) return null;
  const response = await ask(part === 'customer_tickets' ? `/tickets${below}` : `/tickets/${ticket.id}${below}`);
  if (!response.ok) return undefined;
  const { data, meta } = (await response.json()) as { data: unknown; meta: { pagination?: unknown } };
  return paged.has(part) ? { items: data, pagination: meta.pagination } : data;
}

async function pageOf(ticket: Ticket): Promise<TicketPage> {
  const names = Object.keys(parts) as TicketPagePart[];
  // A part whose request fails or is refused is listed as unavailable.
  const answers = await Promise.all(names.map((part) => read(ticket, part).catch(() => undefined)));
  const known = Object.fromEntries(names.map((part, index) => [part, answers[index] ?? null]));
  return { ticket, ...known, unavailable: names.filter((_, index) => answers[index] === undefined) } as TicketPage;
}

/** Handler for a ticket's page, composed from the other handlers' responses like in the gateway. A function, like the other handlers. */
export const ticketPageHandlers = () => [
  http.get(api('/tickets/:id/page'), ({ params }) =>
    signedIn(async () => {
      const response = await ask(`/tickets/${String(params.id)}`);
      if (!response.ok) return new HttpResponse(await response.text(), response);
      return answer(await pageOf(((await response.json()) as { data: Ticket }).data));
    }),
  ),
];
