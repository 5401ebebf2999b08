import { http } from 'msw';
import { backend } from './backend';
import { answer, api, signedIn } from './responses';

const unread = () => {
  const open = backend.notices.filter(({ read_at }) => read_at === null).slice(0, 100);
  return answer({ unread: open.length, ticket_ids: [...new Set(open.flatMap(({ ticket_id }) => ticket_id ?? []))] });
};

function notices(url: URL) {
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 20);
  const next_cursor = from + limit < backend.notices.length ? String(from + limit) : null;
  const pagination = { page: null, limit, total: backend.notices.length, next_cursor };
  return answer(backend.notices.slice(from, from + limit), { pagination });
}

/** Handlers for notifications. A function, because this module and `server.ts` import each other. */
export const notificationHandlers = () => [
  http.get(api('/notifications/unread'), () => signedIn(unread)),
  http.get(api('/notifications'), ({ request }) => signedIn(() => notices(new URL(request.url)))),
  http.post(api('/notifications/read'), async ({ request }) => {
    const { ticket_id, ids } = (await request.json()) as { ticket_id?: string; ids?: string[] };
    for (const notice of backend.notices) {
      const isMeant = (!ticket_id || notice.ticket_id === ticket_id) && (!ids || ids.includes(notice.id));
      if (isMeant) notice.read_at ??= new Date().toISOString();
    }
    return unread();
  }),
  http.get(api('/notification-preferences'), () => signedIn(() => answer(backend.preferences))),
  http.put(api('/notification-preferences'), async ({ request }) => {
    backend.preferences = (await request.json()) as typeof backend.preferences;
    return answer(backend.preferences);
  }),
];
