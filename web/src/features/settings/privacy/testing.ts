import type { Erasure, ErasurePreview, RetentionPolicy } from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend } from '../../../testing/backend';
import { answer, api, refuse, signedIn } from '../../../testing/responses';
import { anExport } from '../transfer/testing';
import type { RetentionChanges } from './privacy.api';

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const noAnswers = { identity: null, tickets: null, notifications: null, integrations: null, analytics: null };

export const anErasure = (overrides: Partial<Erasure> = {}): Erasure => ({
  id: anId(),
  email: 'jonas@example.com',
  state: 'scheduled',
  starts_at: inHours(23.5),
  requested_by: backend.me.user_id,
  created_at: inHours(-0.5),
  finished_at: null,
  answers: noAnswers,
  remains: [],
  ...overrides,
});

export const aReceipt = (overrides: Partial<Erasure> = {}): Erasure =>
  anErasure({
    email: null,
    state: 'done',
    created_at: '2026-11-20T10:05:00.000Z',
    starts_at: '2026-11-21T10:05:00.000Z',
    finished_at: '2026-11-21T10:06:00.000Z',
    answers: { ...noAnswers, tickets: { tickets: 4, comments: 1_204 }, notifications: { sent_emails: 9 }, analytics: {}, identity: {} },
    remains: ['backups', 'task_tool'],
    ...overrides,
  });

export const aPreview = (overrides: Partial<ErasurePreview> = {}): ErasurePreview => ({
  counts: { tickets: 4, comments: 1_204, files: 0 },
  tickets: [{ id: anId(), ticket_number: 'NC-0001', subject: 'Wrong grind' }],
  other_tickets: 1,
  linked_tasks: 2,
  ...overrides,
});

const json = async <T>(request: Request) => (await request.json()) as T;

/** The fake server's erasures and retention. Tests fill it and pass `handlers()` to `server.use`. */
export class FakePrivacy {
  erasures: Erasure[] = [];
  preview = aPreview();
  retention: RetentionPolicy = { is_active: false, action: 'delete', months: 24, kept_categories: [], updated_at: null };
  /** The number of tickets that a policy would delete. */
  expired: (months: number) => number = () => 0;
  /** The requests that changed something. */
  sent: { call: string; body: unknown }[] = [];

  private note = (call: string, body: unknown) => void this.sent.push({ call, body });
  private find = (id: unknown) => this.erasures.find((each) => each.id === id);
  /** What a worker on the server would do. */
  work(id: string, changes: Partial<Erasure>) {
    this.erasures = this.erasures.map((each) => (each.id === id ? { ...each, ...changes } : each));
    return answer(this.find(id));
  }

  private erasureHandlers() {
    return [
      http.post(api('/erasures/preview'), () => answer(this.preview)),
      http.get(api('/erasures'), () =>
        signedIn(() => answer(this.erasures, { pagination: { page: null, limit: 25, total: this.erasures.length, next_cursor: null } })),
      ),
      http.post(api('/erasures'), async ({ request }) => {
        const body = await json<{ email: string; delay_hours: number }>(request);
        this.note('erase', body);
        const created = anErasure({ email: body.email, starts_at: inHours(body.delay_hours) });
        this.erasures = [created, ...this.erasures];
        return answer(created, { status: 201 });
      }),
      http.get(api('/erasures/:id'), ({ params }) => {
        const found = this.find(params.id);
        return found ? answer(found) : refuse('erasure.not_found');
      }),
      http.delete(api('/erasures/:id'), ({ params }) =>
        this.work(String(params.id), { state: 'cancelled', email: null, finished_at: inHours(0) }),
      ),
      http.post(api('/customer-exports'), async ({ request }) => {
        this.note('export', await json(request));
        return answer(anExport({ state: 'running' }), { status: 201 });
      }),
    ];
  }

  private retentionHandlers() {
    return [
      http.get(api('/retention'), () => signedIn(() => answer(this.retention))),
      http.post(api('/retention/preview'), async ({ request }) => {
        const tickets = this.expired((await json<RetentionChanges>(request)).months);
        return answer({ tickets, nights: Math.ceil(tickets / 2_000) });
      }),
      http.put(api('/retention'), async ({ request }) => {
        const policy = await json<Omit<RetentionPolicy, 'updated_at'>>(request);
        this.note('save retention', policy);
        this.retention = { ...policy, updated_at: inHours(0) };
        return answer(this.retention);
      }),
    ];
  }

  handlers = () => [...this.erasureHandlers(), ...this.retentionHandlers()];
}
