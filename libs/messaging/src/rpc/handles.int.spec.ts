import { contextHeader, signContext } from '@tandem/platform';
import { customer, eventually, staff } from '@tandem/testing';
import { newId } from '@tandem/db';
import type { Context, Problem, TokenPermission } from '@tandem/contracts';
import { sql } from 'kysely';
import { createNote, leakNote, listNotes, readNote, startNotes, whoAmI } from '../../test/notes';

let notes: Awaited<ReturnType<typeof startNotes>>;
beforeAll(async () => {
  notes = await startNotes({ RUN: 'http' });
});
afterAll(() => notes.close());

const agent = staff('agent');
const signed = (ctx: Context, now?: Date) => ({ [contextHeader]: signContext(ctx, notes.env['CONTEXT_SECRET']!, now) });
const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(notes.running.url + path, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as Problem & Record<string, never>),
  };
};
const post = (ctx: Context, body: unknown, headers: Record<string, string> = {}) =>
  ask('/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(ctx), ...headers },
    body: JSON.stringify(body),
  });

describe('the signed context', () => {
  it('is refused with 401 when it is missing', async () => {
    const answer = await ask('/notes');
    expect(answer.status).toBe(401);
    expect(answer.body?.code).toBe('session.required');
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  });

  // With 401, a gateway with another secret would make all browsers sign their users out.
  it.each<[string, () => Record<string, string>]>([
    ['forged', () => ({ [contextHeader]: signContext(agent, 'another secret that is long enough indeed') })],
    ['expired', () => signed(agent, new Date(Date.now() - 120_000))],
    ['rewritten', () => ({ [contextHeader]: signed(agent)[contextHeader].replace(/^./, (first) => (first === 'x' ? 'y' : 'x')) })],
  ])('is refused with 503 when it is %s', async (_case, headers) => {
    const answer = await ask('/notes', { headers: headers() });
    expect(answer.status).toBe(503);
    expect(answer.body?.code).toBe('service.unavailable');
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('is verified by the readiness check of a caller that sends one', async () => {
    const ready = async (headers: Record<string, string>) => {
      const answer = await fetch(`${notes.running.url}/health/ready`, { headers });
      return [answer.status, ((await answer.json()) as { checks: Record<string, string> }).checks['context']];
    };
    expect(await ready({})).toEqual([200, undefined]);
    expect(await ready(signed(agent))).toEqual([200, 'ok']);
    expect(await ready({ [contextHeader]: signContext(agent, 'another secret that is long enough indeed') })).toEqual([503, 'down']);
  });
});

describe('the owner checks the caller', () => {
  const refused = async (ctx: Context, path: string) => (await ask(path, { headers: signed(ctx) })).body?.code;
  const one = `/notes/${newId()}`;

  it('for a permission: by role, by token, and only in an organization', async () => {
    expect(await refused(customer(agent.organization_id), one)).toBe('session.required');
    expect(await refused({ ...agent, actor: { type: 'system' } }, one)).toBe('permission.denied');
    expect(await refused({ ...agent, organization_id: null }, one)).toBe('organization.required');
    expect(await refused({ ...agent, actor: { ...agent.actor, role: null } }, one)).toBe('permission.denied');
    const token = (permissions: TokenPermission[]): Context => ({
      ...agent,
      actor: { type: 'token', token_id: newId(), name: 'Importer', permissions, via: 'api' },
    });
    expect(await refused(token(['tickets:write']), one)).toBe('token.permission_missing');
    expect(await refused(token(['tickets:read']), one)).toBe('ticket.not_found');
  });
  it('for the portal: any caller of an organization', async () => {
    expect(await refused({ ...agent, organization_id: null }, '/notes')).toBe('organization.not_found');
    await expect(notes.services.call(listNotes, customer(agent.organization_id), {})).resolves.toMatchObject({
      items: [],
      pagination: { total: 0 },
    });
  });
  it('for signed-in users: with or without an organization', async () => {
    expect(await refused(customer(agent.organization_id), '/who')).toBe('session.required');
    await expect(notes.services.call(whoAmI, { ...agent, organization_id: null }, {})).resolves.toEqual({ who: 'user' });
  });
});

describe('input and output', () => {
  it('reports the problems of all parts together, and unknown members by name', async () => {
    const answer = await ask('/notes/nonsense?shout=9&extra=1', { headers: signed(agent) });
    expect(answer.status).toBe(422);
    expect(answer.body?.errors?.map((field) => field.path).sort()).toEqual(['extra', 'id', 'shout']);
    expect((await post(agent, { text: '', more: 1 })).body?.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'text', message: 'Write something' }),
        expect.objectContaining({ path: 'more', code: 'unknown' }),
      ]),
    );
  });
  it.each([[undefined], [null], [[]], ['text'], [7]])('refuses the body %p without writing anything', async (body) => {
    const before = notes.hooks.created;
    expect((await post(agent, body)).status).toBeGreaterThanOrEqual(400);
    expect((await post(agent, body)).status).toBeLessThan(500);
    expect(notes.hooks.created).toBe(before);
  });
  it('fails instead of returning members that the contract does not declare', async () => {
    await expect(notes.services.call(leakNote, agent, {})).rejects.toMatchObject({ code: 'internal' });
  });
  it('responds in the envelope, with the status of the operation and the request id', async () => {
    const answer = await post(agent, { text: 'hello' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ success: true, data: { text: 'hello' }, meta: { request_id: agent.request_id } });
  });
});

describe('entity tags', () => {
  it('answer 304 for a known version, and pass If-Match on', async () => {
    const note = await notes.services.call(createNote, agent, { body: { text: 'tagged' } });
    const read = (headers: Record<string, string>) => ask(`/notes/${note.id}`, { headers: { ...signed(agent), ...headers } });
    expect((await read({})).headers.get('etag')).toBe('"v1"');
    for (const tag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) expect((await read({ 'if-none-match': tag })).status).toBe(304);
    expect((await read({ 'if-none-match': '"v2"' })).status).toBe(200);
    const change = async (tag: string) => {
      const headers = { ...signed(agent), 'content-type': 'application/json', 'if-match': tag };
      return (await ask(`/notes/${note.id}`, { method: 'PATCH', headers, body: '{"text":"x"}' })).status;
    };
    expect([await change('"v1"'), await change('"v7"'), await change('*'), await change('v1'), await change('W/"v1"')]).toEqual([
      200, 412, 200, 422, 422,
    ]);
  });
});

describe('an idempotency key', () => {
  it('returns the stored response to a repeated request without running it again', async () => {
    const before = notes.hooks.created;
    const first = await post(agent, { text: 'once' }, { 'idempotency-key': 'key-1' });
    const second = await post({ ...agent, request_id: newId() }, { text: 'once' }, { 'idempotency-key': 'key-1' });
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect([first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    expect(notes.hooks.created).toBe(before + 1);
  });
  it('is refused with a different body', async () => {
    await post(agent, { text: 'one' }, { 'idempotency-key': 'key-2' });
    const other = await post(agent, { text: 'two' }, { 'idempotency-key': 'key-2' });
    expect([other.status, other.body?.code]).toEqual([422, 'idempotency.key_reused']);
  });
  it('answers 409 while the first request runs, and runs it once', async () => {
    let finish!: () => void;
    notes.hooks.beforeAnswer = () => new Promise((resolve) => (finish = resolve));
    const first = post(agent, { text: 'slow' }, { 'idempotency-key': 'key-3' });
    while (!(finish as unknown)) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await post(agent, { text: 'slow' }, { 'idempotency-key': 'key-3' });
    expect([second.status, second.body?.code]).toEqual([409, 'idempotency.running']);
    finish();
    notes.hooks.beforeAnswer = async () => undefined;
    expect((await first).status).toBe(201);
  });
  it('can be used again after a failure', async () => {
    notes.hooks.beforeAnswer = () => Promise.reject(new Error('broken'));
    expect((await post(agent, { text: 'again' }, { 'idempotency-key': 'key-4' })).status).toBe(500);
    notes.hooks.beforeAnswer = async () => undefined;
    expect((await post(agent, { text: 'again' }, { 'idempotency-key': 'key-4' })).status).toBe(201);
  });
  it('belongs to the caller: other callers and organizations may use the same key', async () => {
    const colleague = staff('agent', { organization_id: agent.organization_id });
    for (const ctx of [agent, colleague, staff('admin')]) {
      const answer = await post(ctx, { text: ctx.request_id }, { 'idempotency-key': 'key-5' });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
    }
  });
  it('must be printable', async () => {
    expect((await post(agent, { text: 'x' }, { 'idempotency-key': 'a b' })).body?.errors?.[0]?.path).toBe('Idempotency-Key');
  });
});

describe('the response of an idempotency key', () => {
  /** A new caller, so that each test counts its own rows only. */
  const caller = () => {
    const ctx = staff('agent');
    const send = (text: string) => post(ctx, { text }, { 'idempotency-key': 'key' });
    const texts = () =>
      notes.db.forTenant(ctx, async (tx) => (await tx.selectFrom('notes').select('text').execute()).map(({ text }) => text));
    const keys = () =>
      notes.db.forTenant(ctx, async (tx) =>
        (await tx.selectFrom('idempotency_keys').select('status').execute()).map(({ status }) => status),
      );
    const leaseEnd = () =>
      notes.db.forTenant(ctx, async (tx) => {
        const seconds = sql<number>`extract(epoch from lease_until - created_at)::float8`.as('seconds');
        return (await tx.selectFrom('idempotency_keys').select(seconds).executeTakeFirstOrThrow()).seconds;
      });
    const endLease = (lease: { lease_until?: string | null; created_at?: string } = { lease_until: '2020-01-01T00:00:00Z' }) =>
      notes.db.forTenant(ctx, (tx) => tx.updateTable('idempotency_keys').set(lease).where('status', '=', 'running').execute());
    return { ctx, send, texts, keys, leaseEnd, endLease };
  };
  /** Resolves `reached` when the hook is called, which then waits for `release`. */
  const pause = () => {
    let [reach, release] = [() => {}, () => {}];
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const wait = () => {
      reach();
      return released;
    };
    return { reached, release, wait };
  };
  const replayed = ({ status, headers }: Awaited<ReturnType<typeof post>>) => [status, headers.get('idempotent-replayed')];
  const unhook = () => Object.assign(notes.hooks, { beforeNoteCommit: async () => undefined, afterNoteCommit: async <T>(note: T) => note });
  afterEach(unhook);

  it('is returned after an error that follows the commit, and the work is not done again', async () => {
    const { send, texts } = caller();
    notes.hooks.afterNoteCommit = () => Promise.reject(new Error('broken'));
    expect((await send('committed')).status).toBe(500);
    unhook();
    expect(replayed(await send('committed'))).toEqual([201, 'true']);
    expect(await texts()).toEqual(['committed']);
  });
  it('is returned after a process has stopped between the commit and its response, and the work is not done again', async () => {
    const { send, texts, endLease } = caller();
    const stopped = pause();
    notes.hooks.afterNoteCommit = async (note) => {
      await stopped.wait();
      return note;
    };
    const first = send('committed');
    await stopped.reached;
    await endLease();
    unhook();
    expect(replayed(await send('committed'))).toEqual([201, 'true']);
    expect(await texts()).toEqual(['committed']);
    stopped.release();
    expect(replayed(await first)).toEqual([201, null]);
  });
  it('is not stored if the work is rolled back, and a repeat does the work', async () => {
    const { send, texts, keys } = caller();
    notes.hooks.beforeNoteCommit = () => Promise.reject(new Error('broken'));
    expect((await send('rolled back')).status).toBe(500);
    expect([await keys(), await texts()]).toEqual([[], []]);
    unhook();
    expect(replayed(await send('rolled back'))).toEqual([201, null]);
    expect([await keys(), await texts()]).toEqual([['done'], ['rolled back']]);
  });
  it('is not stored if the process stops before the commit: a repeat after the lease does the work, and the first is rolled back', async () => {
    const { send, texts, endLease } = caller();
    const stopped = pause();
    notes.hooks.beforeNoteCommit = stopped.wait;
    const first = send('late');
    await stopped.reached;
    await endLease();
    unhook();
    const second = await send('late');
    stopped.release();
    expect([(await first).status, replayed(second)]).toEqual([500, [201, null]]);
    expect(await send('late')).toMatchObject({ status: 201, body: second.body });
    expect(await texts()).toEqual(['late']);
  });
  it('is not awaited for 30 seconds after the death of a process: its lease ends 3 seconds after the process has extended it', async () => {
    const { send, leaseEnd } = caller();
    const running = pause();
    notes.hooks.beforeNoteCommit = running.wait;
    const first = send('extended');
    await running.reached;
    const claimed = await leaseEnd();
    expect(claimed).toBe(3);
    const extended = await eventually(async () => (await leaseEnd()) > claimed && leaseEnd());
    expect(extended).toBeGreaterThanOrEqual(4);
    expect(await send('extended')).toMatchObject({ status: 409, body: { code: 'idempotency.running' } });
    running.release();
    expect(replayed(await first)).toEqual([201, null]);
  });
  it('is awaited for 30 seconds if a process of an earlier version has claimed the key', async () => {
    const { send, texts, endLease } = caller();
    const stopped = pause();
    notes.hooks.beforeNoteCommit = stopped.wait;
    const first = send('earlier');
    await stopped.reached;
    unhook();
    await endLease({ lease_until: null });
    expect((await send('earlier')).status).toBe(409);
    await endLease({ lease_until: null, created_at: new Date(Date.now() - 31_000).toISOString() });
    expect(replayed(await send('earlier'))).toEqual([201, null]);
    stopped.release();
    expect([(await first).status, await texts()]).toEqual([500, ['earlier']]);
  });
  it('is replaced if the handler returns another one after the commit', async () => {
    const { send } = caller();
    notes.hooks.afterNoteCommit = async (note) => ({ ...note, version: 7 });
    const first = await send('changed');
    const second = await send('changed');
    expect(first.body).toMatchObject({ data: { version: 7 } });
    expect([replayed(second), second.body]).toEqual([[201, 'true'], first.body]);
  });
  it('is written by the transaction of the work, and by no other', async () => {
    const { ctx, send } = caller();
    await send('together');
    const { rows } = await notes.db.forTenant(ctx, (tx) =>
      sql<{
        note: string;
        key: string;
      }>`select notes.xmin::text as note, idempotency_keys.xmin::text as key from notes, idempotency_keys`.execute(tx),
    );
    expect(rows).toEqual([{ note: rows[0]!.note, key: rows[0]!.note }]);
  });
  it('is not stored without a key', async () => {
    const { ctx, keys, texts } = caller();
    expect((await post(ctx, { text: 'keyless' })).status).toBe(201);
    expect([await keys(), await texts()]).toEqual([[], ['keyless']]);
  });
});

describe('the client', () => {
  it('forwards bytes and problems unchanged, and throws problems as errors when called', async () => {
    const path = `/notes/${newId()}`;
    const answer = await notes.services.forward(readNote, agent, { path, headers: { connection: 'close', 'content-length': '999' } });
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'ticket.not_found' });
    await expect(notes.services.call(readNote, agent, { params: { id: newId() }, query: {} })).rejects.toMatchObject({
      code: 'ticket.not_found',
      status: 404,
    });
    await expect(notes.services.call(createNote, agent, { body: { text: '' } })).rejects.toMatchObject({ fields: [{ path: 'text' }] });
  });
});
