import { http } from 'msw';
import { setupServer } from 'msw/node';
import { conversationHandlers } from './conversation';
import { aSession, aTicket, branding, backend, organization } from './backend';
import { notificationHandlers } from './notifications';
import { ticketListHandlers } from './ticket-list';
import { answer, api, changedValues, refuse, refuseWithoutFields, signedIn } from './responses';
import { composing, ticketPageHandlers } from './ticket-page';
import { ticketTaskHandlers } from './ticket-task';

export { answer, api, refuse, signedIn };

const body = async (request: Request) => (await request.json()) as Record<string, never>;

const handlers = [
  ...notificationHandlers(),
  http.get(api('/auth/session'), () => signedIn(() => answer(backend.session))),
  http.get(api('/public/installation'), () => answer({ sign_up: 'open', has_live_demo: false })),
  http.post(api('/auth/refresh'), () => refuse('session.expired')),
  http.post(api('/auth/sign-in'), () => {
    backend.signIn();
    return answer(backend.session);
  }),
  http.post(api('/auth/sign-out'), () => {
    backend.session = undefined;
    return answer({});
  }),
  http.post(api('/auth/sign-up'), () => answer({ message: 'ok' }, { status: 202 })),
  http.post(api('/auth/resend-confirmation'), () => answer({ message: 'ok' }, { status: 202 })),
  http.post(api('/auth/confirm-email'), () => answer({ email: 'ada@northwind.example', session: null })),
  http.post(api('/organizations'), () => {
    backend.session = aSession(backend.me);
    return answer(organization, { status: 201 });
  }),
  http.get(api('/ticket-prefix'), () => signedIn(() => answer({ prefix: 'NC', editable: false }))),
  http.get(api('/team/members'), () => signedIn(() => answer(backend.members))),
  http.get(api('/custom-fields'), () => signedIn(() => answer(backend.customFields))),
  http.get(api('/sla-policies'), () => signedIn(() => answer([]))),
  http.get(api('/team/invitations'), () => signedIn(() => answer([]))),
  http.get(api('/widget-settings'), () => signedIn(() => answer({ allowed_sites: [] }))),
  http.get(api('/organizations/:id'), () => signedIn(() => answer(organization))),
  http.get(api('/branding'), () => signedIn(() => answer(branding))),
  http.get(api('/public/help'), () => answer({ article_count: 0, categories: [], popular: [] })),
  http.get(api('/public/help/search'), () => answer([])),
  http.get(api('/widget/v1/help/search'), () => answer([])),
  http.post(api('/public/help/uses'), () => answer({}, { status: 202 })),
  http.get(api('/help-report'), () => signedIn(() => answer({ days: [], articles: [], searches_without_result: [] }))),
  http.get(api('/task-tool/connection'), () => signedIn(() => answer([]))),
  http.get(api('/oidc-connection'), () => signedIn(() => answer(null))),
  http.get(api('/tickets/stats'), () => signedIn(() => answer(backend.stats))),
  ...ticketListHandlers(),
  http.post(api('/tickets'), async ({ request }) => {
    const ticket = aTicket({ ...(await body(request)), ticket_number: `NC-${String(backend.tickets.length + 1).padStart(4, '0')}` });
    backend.tickets.unshift(ticket);
    return answer(ticket, { status: 201 });
  }),
  http.get(api('/tickets/:id'), ({ params }) =>
    signedIn(() => {
      const ticket = backend.ticket(String(params.id));
      return ticket ? answer(ticket) : refuse('ticket.not_found');
    }),
  ),
  http.patch(api('/tickets/:id'), async ({ params, request }) => {
    const ticket = backend.ticket(String(params.id));
    if (!ticket) return refuse('ticket.not_found');
    const changes = await body(request);
    const refusal = refuseWithoutFields(ticket, changes);
    if (refusal) return refusal;
    return answer(Object.assign(ticket, changes, changedValues(ticket, changes), { version: ticket.version + 1 }));
  }),
  http.put(api('/tickets/:id/presence'), () => signedIn(() => answer([]))),
  ...conversationHandlers(),
  ...ticketTaskHandlers(),
  ...ticketPageHandlers(),
];

export const server = setupServer(...handlers);
server.events.on('request:start', ({ request }) => {
  if (request.headers.has(composing)) return;
  const url = new URL(request.url);
  backend.calls.push(`${request.method} ${url.pathname.replace('/api/v1', '')}${url.search}`);
});
