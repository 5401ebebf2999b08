import { AppError, listChanges, type Ticket, type WebhookEvent } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { enableMetrics, eventually } from '@tandem/testing';
import { randomUUID } from 'node:crypto';
import { apiClient, issueToken } from './api-client';
import { anAddress, type Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUpOwner();
});

describe('the Link header of a page', () => {
  it('is the URL of the next page, until there is none', async () => {
    for (let i = 0; i < 3; i += 1) await app.ticket(ada.browser);
    const { value } = await issueToken(ada);
    const client = apiClient(app.gateway, value);
    const ids: string[] = [];
    for (let path: string | undefined = '/tickets?page=1&limit=2&status=open&sort=oldest'; path !== undefined;) {
      const answer = await client.get<Ticket[]>(path);
      expect(answer.status).toBe(200);
      ids.push(...answer.data.map(({ id }) => id));
      const [, url, relation] = /^<(.*)>; rel="(.*)"$/.exec(answer.headers.get('link') ?? '') ?? [];
      expect(url === undefined).toBe(answer.body.meta.pagination!.next_cursor === null);
      if (url !== undefined) {
        expect(relation).toBe('next');
        const next = new URL(url);
        expect([next.origin, next.pathname]).toEqual([new URL(app.env['PUBLIC_URL']!).origin, '/api/v1/tickets']);
        expect(Object.fromEntries(next.searchParams)).toEqual({
          limit: '2',
          status: 'open',
          sort: 'oldest',
          cursor: answer.body.meta.pagination!.next_cursor,
        });
        path = next.pathname.replace('/api/v1', '') + next.search;
      } else path = undefined;
    }
    expect(new Set(ids).size).toBe(3);
  });
  it('is missing on other responses', async () => {
    expect((await ada.browser.get('/tickets/stats')).headers.get('link')).toBeNull();
    expect((await ada.browser.get('/tickets?sort=nonsense')).headers.get('link')).toBeNull();
  });
});

interface Block {
  id: string | undefined;
  data: WebhookEvent | undefined;
}
/** Reads a stream of changes until closed. */
class Changes {
  readonly blocks: Block[] = [];
  text = '';
  ended = false;
  private readonly controller = new AbortController();
  response!: Response;

  async open(client: Browser, query = '', headers: Record<string, string> = {}): Promise<this> {
    this.response = await client.fetch('GET', `/changes/stream${query}`, { signal: this.controller.signal, headers });
    void this.read();
    return this;
  }
  private async read() {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) this.take(decoder.decode(chunk as Uint8Array, { stream: true }));
    } catch (error) {
      if (!this.controller.signal.aborted) throw error;
    } finally {
      this.ended = true;
    }
  }
  private take(text: string) {
    this.text += text;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop()!;
    for (const block of blocks) {
      const valueOf = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = valueOf('data');
      if (valueOf('id') !== undefined || data !== undefined)
        this.blocks.push({ id: valueOf('id'), data: data === undefined ? undefined : (JSON.parse(data) as WebhookEvent) });
    }
  }
  get ids() {
    return this.blocks.flatMap(({ data }) => (data ? [data.id] : []));
  }
  close = () => this.controller.abort();
}

describe('the stream of changes', () => {
  /** The events that notifications has stored, in order; a position is the index of the next one. */
  let stored: { id: string; organization_id: string }[];
  let unavailable = false;
  const open: Changes[] = [];
  beforeEach(() => {
    stored = [];
    unavailable = false;
    const original = Services.prototype.call as (this: Services, ...args: unknown[]) => Promise<unknown>;
    jest.spyOn(Services.prototype, 'call').mockImplementation(function (this: Services, ...args: unknown[]) {
      const [op, ctx, input] = args as [unknown, { organization_id: string }, { query: { after?: string; limit: number } }];
      if (op !== listChanges) return original.apply(this, args);
      if (unavailable) return Promise.reject(new AppError('service.unavailable'));
      const from = input.query.after === 'now' ? stored.length : Number(input.query.after ?? 0);
      const rows = stored
        .map((event, i) => ({ event, position: i + 1 }))
        .filter(({ event, position }) => position > from && event.organization_id === ctx.organization_id);
      const page = rows.slice(0, input.query.limit);
      return Promise.resolve({
        events: page.map(({ event }) => event),
        positions: page.map(({ position }) => String(position)),
        next: String(page.at(-1)?.position ?? from),
        end_of_stream: rows.length <= page.length,
      });
    });
  });
  afterEach(() => {
    open.splice(0).forEach((each) => each.close());
    jest.restoreAllMocks();
  });
  const follow = async (client: Browser, query = '', headers: Record<string, string> = {}) => {
    const changes = await new Changes().open(client, query, headers);
    open.push(changes);
    return changes;
  };
  const store = (...ids: string[]) => stored.push(...ids.map((id) => ({ id, organization_id: ada.organization.id })));
  const programOf = async (body: Parameters<typeof issueToken>[1] = {}) => {
    const issued = await issueToken(ada, { permissions: ['tickets:read'], ...body });
    return { issued, client: apiClient(app.gateway, issued.value) };
  };

  it('is counted in the metrics until it is closed', async () => {
    const scrape = await enableMetrics();
    const openStreams = async () => (await scrape()).value('tandem_open_streams', { audience: 'program' });
    const before = await openStreams();
    const changes = await follow(ada.browser);
    await eventually(async () => expect(await openStreams()).toBe(before + 1));
    changes.close();
    await eventually(async () => expect(await openStreams()).toBe(before));
    for (const audience of ['staff', 'customer']) expect((await scrape()).value('tandem_open_streams', { audience })).toBe(0);
  });

  it('sends stored events, then new events when they happen, each with its position', async () => {
    const { client } = await programOf();
    store('evt_1', 'evt_2');
    const changes = await follow(client);
    expect([changes.response.status, changes.response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await eventually(() =>
      expect(changes.blocks.map(({ id, data }) => [id, data?.id])).toEqual([
        ['1', 'evt_1'],
        ['2', 'evt_2'],
      ]),
    );
    // The notice of this ticket arrives before the event is stored.
    await app.ticket(ada.browser);
    setTimeout(() => store('evt_3'), 100);
    await eventually(() => expect(changes.ids).toEqual(['evt_1', 'evt_2', 'evt_3']));
  });
  it('continues after the last event that the client has, even with `now`', async () => {
    const { client } = await programOf();
    store('evt_1', 'evt_2', 'evt_3');
    await eventually(async () => expect((await follow(client, '?after=1')).response.status).toBe(200));
    const resumed = await follow(client, '?after=1', { 'last-event-id': '2' });
    await eventually(() => expect(resumed.ids).toEqual(['evt_3']));
    const fresh = await follow(client, '?after=now');
    await eventually(() => expect(fresh.blocks).toEqual([{ id: '3', data: undefined }]));
  });
  it('sends more events than fit into a page', async () => {
    const { client } = await programOf();
    const ids = Array.from({ length: 250 }, (_, i) => `evt_${i}`);
    store(...ids);
    const changes = await follow(client);
    await eventually(() => expect(changes.ids).toEqual(ids));
  });
  it('is for admins and tokens that may read tickets, and shows one organization only', async () => {
    const { client } = await programOf();
    const writer = await programOf({ permissions: ['tickets:write'] });
    expect(codeOf(await writer.client.get('/changes/stream'))).toBe('403 token.permission_missing');
    expect(codeOf(await app.as('agent', ada.organization.id).get('/changes/stream'))).toBe('403 permission.denied');
    expect(codeOf(await app.browser().get('/changes/stream'))).toBe('401 session.required');
    for (const [query, headers] of [
      ['?after=x', {}],
      ['?unknown=1', {}],
      ['', { 'last-event-id': 'x' }],
    ] as const)
      expect(codeOf(await client.get(`/changes/stream${query}`, { headers }))).toBe('422 request.invalid');
    store('evt_1');
    const eve = await app.signUpOwner();
    const foreign = await follow(apiClient(app.gateway, (await issueToken(eve)).value));
    const own = await follow(ada.browser);
    await eventually(() => expect(own.ids).toEqual(['evt_1']));
    expect(foreign.ids).toEqual([]);
  });
  it('ends when its token is deactivated, and another one continues', async () => {
    const [first, second] = [await programOf(), await programOf()];
    const [ending, staying] = [await follow(first.client), await follow(second.client)];
    const answer = await ada.browser.patch(`/api-tokens/${first.issued.token.id}`, { is_active: false });
    expect(answer.status).toBe(200);
    await eventually(() => expect(ending.ended).toBe(true));
    expect(staying.ended).toBe(false);
    await eventually(async () => expect(codeOf(await first.client.get('/changes/stream'))).toBe('401 token.inactive'));
  });
  it('ends when the value of its token is replaced', async () => {
    const { issued, client } = await programOf();
    const changes = await follow(client);
    const rotated = await ada.browser.post(`/api-tokens/${issued.token.id}/rotate`, { overlap_hours: 0 });
    expect(rotated.status).toBe(200);
    await eventually(() => expect(changes.ended).toBe(true));
    await eventually(async () => expect(codeOf(await client.get('/changes/stream'))).toBe('401 token.invalid'));
  });
  it('allows at most ten streams per caller', async () => {
    const { client } = await programOf();
    for (let i = 0; i < 10; i += 1) expect((await follow(client)).response.status).toBe(200);
    expect(codeOf(await client.get('/changes/stream'))).toBe('429 limit.exceeded');
    open.splice(0).forEach((each) => each.close());
    await eventually(async () => expect((await follow(client)).response.status).toBe(200));
  });
  it('answers 503 while changes cannot be read, and continues after an interruption', async () => {
    const { client } = await programOf();
    unavailable = true;
    expect(codeOf(await client.get('/changes/stream'))).toBe('503 service.unavailable');
    unavailable = false;
    const changes = await follow(client);
    unavailable = true;
    await ada.browser.post('/tickets', { subject: 'x', customer_email: anAddress() });
    store(`evt_${randomUUID()}`);
    setTimeout(() => (unavailable = false), 200);
    await eventually(() => expect(changes.ids).toHaveLength(1));
  });
});
