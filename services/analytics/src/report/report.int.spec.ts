import {
  analyticsLimits,
  createReport,
  deleteReport,
  leaveReport,
  listReports,
  systemContext,
  updateReport,
  type Context,
  type DataOf,
  type Report,
  type reportDue,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { ticketOf } from '@tandem/testing';
import { AnalyticsUnderTest, userOf } from '../../test/analytics-under-test';
import { ReportWorker } from './report.worker';

let analytics: AnalyticsUnderTest;
let worker: ReportWorker;
beforeAll(async () => {
  analytics = await AnalyticsUnderTest.start();
  worker = new ReportWorker(analytics.db);
});
afterAll(() => analytics?.close());

const create = (ctx: Context | undefined, body: unknown) => analytics.call<Report>(ctx, createReport, { body });
const change = (ctx: Context, id: string, body: unknown) =>
  analytics.call<Report>(ctx, updateReport, { path: `/analytics/reports/${id}`, body });
const remove = (ctx: Context, id: string) => analytics.call(ctx, deleteReport, { path: `/analytics/reports/${id}` });
const list = async (ctx: Context) => (await analytics.call<Report[]>(ctx, listReports)).data;
const sent = (organization_id: string) =>
  analytics.db.asSystem('test', async (tx) => {
    const query = tx.selectFrom('outbox').select('envelope').where('organization_id', '=', organization_id);
    const rows = await query.where('type', '=', 'report.due').orderBy('position').execute();
    return rows.map(({ envelope }) => envelope.data as DataOf<typeof reportDue>);
  });
const makeDue = (organization_id: string, at: string) =>
  analytics.inTenant(organization_id, (tx) => tx.updateTable('reports').set({ next_at: at }).execute());

it('are created, listed, changed and deleted by admins and managers of the organization', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  await analytics.setTimeZone(organization_id, 'Europe/Berlin');
  const [ada, bob] = [await analytics.addMember(organization_id), await analytics.addMember(organization_id)];
  const { status, data: report } = await create(ctx, { frequency: 'weekly', recipient_ids: [ada, ada] });
  expect(status).toBe(201);
  expect(report).toMatchObject({ frequency: 'weekly', recipient_ids: [ada], last_sent_at: null });
  expect(await list(userOf(organization_id, 'admin'))).toEqual([report]);
  const { data: changed } = await change(ctx, report.id, { frequency: 'monthly' });
  expect(changed).toMatchObject({ frequency: 'monthly', recipient_ids: [ada] });
  expect(changed.next_at).not.toBe(report.next_at);
  const { data: again } = await change(ctx, report.id, { recipient_ids: [bob] });
  expect(again).toEqual({ ...changed, recipient_ids: [bob], version: changed.version + 1 });

  const other = userOf(newId());
  expect(await list(other)).toEqual([]);
  expect([(await change(other, report.id, { frequency: 'weekly' })).problem.code, (await remove(other, report.id)).problem.code]).toEqual([
    'report.not_found',
    'report.not_found',
  ]);
  expect((await create(userOf(organization_id, 'agent'), { frequency: 'weekly', recipient_ids: [ada] })).status).toBe(403);
  expect((await create(undefined, { frequency: 'weekly', recipient_ids: [ada] })).status).toBe(401);
  expect((await remove(ctx, report.id)).status).toBe(200);
  expect((await remove(ctx, report.id)).problem.code).toBe('report.not_found');
});

it('refuse invalid input, callers without permission, and more than twenty', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  const ada = await analytics.addMember(organization_id);
  const gone = await analytics.addMember(organization_id, { is_active: false });
  const stranger = await analytics.addMember(newId());
  expect((await create(ctx, { frequency: 'daily', recipient_ids: [ada] })).status).toBe(422);
  expect((await create(ctx, { frequency: 'weekly', recipient_ids: [] })).status).toBe(422);
  const agent = await analytics.addMember(organization_id, { role: 'agent' });
  for (const user_id of [gone, stranger, agent]) {
    const { problem } = await create(ctx, { frequency: 'weekly', recipient_ids: [ada, user_id] });
    expect([problem.code, problem.errors]).toMatchObject(['assignee.not_a_member', [{ path: 'recipient_ids.1' }]]);
  }
  const statuses = await Promise.all(
    Array.from(
      { length: analyticsLimits.reports + 2 },
      async () => (await create(ctx, { frequency: 'weekly', recipient_ids: [ada] })).status,
    ),
  );
  expect(statuses.filter((status) => status === 409)).toHaveLength(2);
  expect(await list(ctx)).toHaveLength(analyticsLimits.reports);
});

it('are sent once for each due time, however often and wherever the job runs', async () => {
  const organization_id = newId();
  await analytics.setTimeZone(organization_id, 'Asia/Kolkata');
  const ada = await analytics.addMember(organization_id);
  await analytics.create(ticketOf(organization_id, { created_at: new Date(Date.now() - 2 * 86_400_000).toISOString() }));
  const { data: report } = await create(userOf(organization_id), { frequency: 'weekly', recipient_ids: [ada] });
  const ctx = systemContext(organization_id, 'test');
  const send = () => worker.send(ctx, { report_id: report.id });
  await send();
  expect(await sent(organization_id)).toEqual([]);
  const due = new Date(Date.parse(report.next_at) - 28 * 86_400_000).toISOString();
  await makeDue(organization_id, due);
  expect((await worker.findDue()).map(({ id }) => id)).toContain(report.id);
  await Promise.all([send(), send(), send()]);
  const events = await sent(organization_id);
  expect(events).toMatchObject([{ report_id: report.id, frequency: 'weekly', recipient_ids: [ada], time_zone: 'Asia/Kolkata' }]);
  expect(events[0]!.analytics.per_day).toHaveLength(7);
  expect((await list(userOf(organization_id)))[0]).toMatchObject({ next_at: report.next_at, last_sent_at: expect.any(String) });
  expect((await worker.findDue()).map(({ id }) => id)).not.toContain(report.id);
});

it('changed in the meantime are not saved from an outdated page, which would add a recipient who has unsubscribed', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  const [ada, bob] = [await analytics.addMember(organization_id), await analytics.addMember(organization_id)];
  const { data: shown } = await create(ctx, { frequency: 'weekly', recipient_ids: [ada, bob] });
  const token = new Secrets(analytics.encryptionKeys).seal('report-unsubscribe', `${organization_id} ${shown.id} ${bob}`);
  await analytics.call(systemContext(null, 'test'), leaveReport, { body: { token } });
  const fromPage = (version: number) => change(ctx, shown.id, { frequency: 'monthly', recipient_ids: [ada, bob], version });
  const { status, problem } = await fromPage(shown.version);
  expect([status, problem.code]).toEqual([409, 'report.changed']);
  const [now] = await list(ctx);
  expect(now).toMatchObject({ frequency: 'weekly', recipient_ids: [ada] });
  expect((await fromPage(now!.version)).data).toMatchObject({ frequency: 'monthly', recipient_ids: [ada, bob] });
});

it('do not go to members who have become agents', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  const [ada, bob] = [await analytics.addMember(organization_id), await analytics.addMember(organization_id)];
  const { data: report } = await create(ctx, { frequency: 'weekly', recipient_ids: [ada, bob] });
  await analytics.addMember(organization_id, { user_id: bob, role: 'agent', sequence: 2 });
  expect(await list(ctx)).toMatchObject([{ recipient_ids: [ada] }]);
  await analytics.addMember(organization_id, { user_id: bob, role: 'manager', sequence: 3 });
  await makeDue(organization_id, '2026-01-01T00:00:00.000Z');
  await worker.send(systemContext(organization_id, 'test'), { report_id: report.id });
  expect(await sent(organization_id)).toMatchObject([{ recipient_ids: [ada] }]);
});

it('go to active members only: members who leave or unsubscribe are removed', async () => {
  const organization_id = newId();
  const [ada, bob, eve] = [
    await analytics.addMember(organization_id),
    await analytics.addMember(organization_id),
    await analytics.addMember(organization_id),
  ];
  const ctx = userOf(organization_id);
  const { data: report } = await create(ctx, { frequency: 'monthly', recipient_ids: [ada, bob, eve] });
  const { data: other } = await create(ctx, { frequency: 'weekly', recipient_ids: [bob, eve] });
  await analytics.addMember(organization_id, { user_id: ada, is_active: false, sequence: 2 });
  const token = new Secrets(analytics.encryptionKeys).seal('report-unsubscribe', `${organization_id} ${report.id} ${bob}`);
  const leave = (value: string) => analytics.call(systemContext(null, 'test'), leaveReport, { body: { token: value } });
  expect([(await leave(token)).status, (await leave(token)).status]).toEqual([200, 200]);
  expect((await leave('nonsense')).problem.code).toBe('unsubscribe.invalid');
  expect(await list(ctx)).toMatchObject([{ recipient_ids: [eve] }, { id: other.id, recipient_ids: [bob, eve] }]);
  // Without recipients, the next due time is set without an event.
  await analytics.addMember(organization_id, { user_id: eve, is_active: false, sequence: 2 });
  await makeDue(organization_id, '2026-01-01T00:00:00.000Z');
  await worker.send(systemContext(organization_id, 'test'), { report_id: report.id });
  expect(await sent(organization_id)).toEqual([]);
  expect((await list(ctx))[0]!.next_at > new Date().toISOString()).toBe(true);
});

it('are due at 08:00 in the new time zone after it changes', async () => {
  const organization_id = newId();
  const ada = await analytics.addMember(organization_id);
  await create(userOf(organization_id), { frequency: 'weekly', recipient_ids: [ada] });
  await analytics.setTimeZone(organization_id, 'Asia/Kolkata');
  expect((await list(userOf(organization_id)))[0]!.next_at).toMatch(/T02:30:00.000Z$/);
});

it('are due at 08:00 in a time zone of their own, and follow the organization’s without one', async () => {
  const organization_id = newId();
  const ctx = userOf(organization_id);
  const recipient_ids = [await analytics.addMember(organization_id)];
  expect((await create(ctx, { frequency: 'weekly', recipient_ids, time_zone: 'Nowhere/Land' })).problem.errors).toMatchObject([
    { path: 'time_zone' },
  ]);
  const { data: report } = await create(ctx, { frequency: 'weekly', recipient_ids, time_zone: 'Asia/Kolkata' });
  expect(report).toMatchObject({ time_zone: 'Asia/Kolkata', next_at: expect.stringMatching(/T02:30:00.000Z$/) });
  await analytics.setTimeZone(organization_id, 'Asia/Tokyo');
  expect(await list(ctx)).toMatchObject([{ time_zone: 'Asia/Kolkata', next_at: expect.stringMatching(/T02:30:00.000Z$/) }]);
  // The week that ends on Sunday in Tokyo.
  await makeDue(organization_id, '2026-01-05T02:30:00.000Z');
  await worker.send(systemContext(organization_id, 'test'), { report_id: report.id });
  expect((await sent(organization_id)).map(({ time_zone }) => time_zone)).toEqual(['Asia/Tokyo']);
  const { data: following } = await change(ctx, report.id, { time_zone: null });
  expect(following).toMatchObject({ time_zone: null, next_at: expect.stringMatching(/T23:00:00.000Z$/) });
});

it('that are already due are still sent after the time zone changes', async () => {
  const organization_id = newId();
  const ada = await analytics.addMember(organization_id);
  const { data: report } = await create(userOf(organization_id), { frequency: 'weekly', recipient_ids: [ada] });
  await makeDue(organization_id, new Date(Date.now() - 60_000).toISOString());
  await analytics.setTimeZone(organization_id, 'Asia/Kolkata');
  await worker.send(systemContext(organization_id, 'test'), { report_id: report.id });
  expect(await sent(organization_id)).toHaveLength(1);
  expect((await list(userOf(organization_id)))[0]!.next_at).toMatch(/T02:30:00.000Z$/);
});
