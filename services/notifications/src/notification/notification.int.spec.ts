import {
  countUnreadNotifications,
  listNotifications,
  pruneNotifications,
  readNotifications,
  type Notification,
  type Operation,
  type Unread,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { aToken, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { NotificationWorker } from './notification.worker';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => (organization = await notifications.anOrganization()));

const agent = () => notifications.as(organization, 'agent');
const list = (query: Record<string, string> = {}, ctx = agent()) => notifications.call<Notification[]>(listNotifications, ctx, { query });
const unread = async (ctx = agent()) => (await notifications.call<Unread>(countUnreadNotifications, ctx)).data;
const markRead = (body: unknown, ctx = agent()) => notifications.call<Unread>(readNotifications, ctx, { body });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('the list', () => {
  it('contains the user’s own notifications, the latest first, page by page', async () => {
    const ids: string[] = [];
    for (const days of [5, 4, 3, 2, 1])
      ids.unshift(await notifications.aNotice(organization, organization.agent, { created_at: daysAgo(days) }));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list({ limit: '2', ...(cursor ? { cursor } : {}) });
      expect(page.status).toBe(200);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  it('excludes notifications of other members and other organizations', async () => {
    await notifications.aNotice(organization, organization.other);
    const elsewhere = await notifications.anOrganization();
    await notifications.aNotice({ ...elsewhere, agent: organization.agent }, organization.agent);
    expect((await list()).data).toEqual([]);
    expect(await unread()).toEqual({ unread: 0, ticket_ids: [] });
    expect((await list({}, notifications.as(organization, 'other'))).data).toHaveLength(1);
  });

  it.each([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['cursor', { cursor: 'nonsense' }],
    ['kind', { kind: 'mention' }],
  ])('refuses a %s that it does not know', async (path, query) => {
    const { status, data } = await notifications.call(listNotifications, agent(), { query });
    expect(status).toBe(422);
    expect(data.errors?.[0]?.path).toContain(path);
  });
});

describe('the count', () => {
  it('covers unread notifications and includes the IDs of their tickets', async () => {
    const ticket_id = newId();
    await notifications.aNotice(organization, organization.agent, { ticket_id });
    await notifications.aNotice(organization, organization.agent, { ticket_id });
    await notifications.aNotice(organization, organization.agent, { read_at: daysAgo(1) });
    expect(await unread()).toEqual({ unread: 2, ticket_ids: [ticket_id] });
  });

  it('has a maximum of 100', async () => {
    await Promise.all(Array.from({ length: 101 }, () => notifications.aNotice(organization, organization.agent)));
    expect((await unread()).unread).toBe(100);
  });
});

describe('marking as read', () => {
  it('marks the given notifications', async () => {
    const [first, second] = [
      await notifications.aNotice(organization, organization.agent),
      await notifications.aNotice(organization, organization.agent),
    ];
    expect((await markRead({ ids: [first] })).data).toMatchObject({ unread: 1 });
    const { data } = await list();
    expect(data.find(({ id }) => id === first)?.read_at).toEqual(expect.any(String));
    expect(data.find(({ id }) => id === second)?.read_at).toBeNull();
  });

  it('marks those of a ticket, without changing an earlier read time', async () => {
    const ticket_id = newId();
    await notifications.aNotice(organization, organization.agent, { ticket_id });
    const earlier = await notifications.aNotice(organization, organization.agent, { ticket_id, read_at: '2026-11-20T10:00:00.000Z' });
    await notifications.aNotice(organization, organization.agent);
    expect((await markRead({ ticket_id })).data.unread).toBe(1);
    expect((await list()).data.find(({ id }) => id === earlier)?.read_at).toBe('2026-11-20T10:00:00.000Z');
  });

  it('marks all without a filter, none with an empty list, and the intersection of both filters', async () => {
    const ticket_id = newId();
    const of = await notifications.aNotice(organization, organization.agent, { ticket_id });
    const other = await notifications.aNotice(organization, organization.agent);
    expect((await markRead({ ids: [] })).data.unread).toBe(2);
    expect((await markRead({ ids: [of, other], ticket_id })).data.unread).toBe(1);
    expect((await markRead({})).data).toEqual({ unread: 0, ticket_ids: [] });
  });

  it('does not change the notifications of another member', async () => {
    const ticket_id = newId();
    const theirs = await notifications.aNotice(organization, organization.other, { ticket_id });
    const elsewhere = await notifications.anOrganization();
    const outside = await notifications.aNotice({ ...elsewhere, agent: organization.agent }, organization.agent, { ticket_id });
    const own = await notifications.aNotice(organization, organization.agent);
    for (const id of [theirs, outside, newId()]) {
      const { status, data } = await notifications.call(readNotifications, agent(), { body: { ids: [own, id] } });
      expect([status, data.code]).toEqual([404, 'notification.not_found']);
    }
    expect((await unread()).unread).toBe(1);
    for (const body of [{ ids: [own, own] }, { ticket_id }, {}]) expect((await markRead(body)).status).toBe(200);
    expect((await unread(notifications.as(organization, 'other'))).unread).toBe(1);
    expect(await notifications.notices(elsewhere)).toMatchObject([{ id: outside, read_at: null }]);
  });

  it.each([
    ['ids', { ids: ['not-an-id'] }],
    ['ids', { ids: Array.from({ length: 101 }, () => newId()) }],
    ['ticket_id', { ticket_id: 7 }],
    ['everything', { everything: true }],
  ])('refuses %s that does not fit, and marks nothing', async (path, body) => {
    await notifications.aNotice(organization, organization.agent);
    const { status, data } = await notifications.call(readNotifications, agent(), { body });
    expect(status).toBe(422);
    expect(data.errors?.[0]?.path).toContain(path);
    expect((await unread()).unread).toBe(1);
  });
});

it.each<[string, Operation, unknown]>([
  ['list', listNotifications, undefined],
  ['count', countUnreadNotifications, undefined],
  ['mark', readNotifications, {}],
])('an API token cannot %s', async (_, op, body) => {
  const { status, data } = await notifications.call(op, aToken(organization), { body });
  expect({ status, code: data.code }).toEqual({ status: 403, code: 'token.not_allowed' });
});

it('notifications are deleted after 90 days in every organization', async () => {
  const elsewhere = await notifications.anOrganization();
  const kept = await notifications.aNotice(organization, organization.agent, { created_at: daysAgo(89) });
  await notifications.aNotice(organization, organization.agent, { created_at: daysAgo(91) });
  await notifications.aNotice(elsewhere, elsewhere.agent, { created_at: daysAgo(400), read_at: daysAgo(399) });
  await eventually(async () => {
    expect((await notifications.notices(organization)).map(({ id }) => id)).toEqual([kept]);
    expect(await notifications.notices(elsewhere)).toEqual([]);
  });
  const pending = await notifications.service.app.get(NotificationWorker).findExpired();
  expect({ type: pruneNotifications.type, pending }).toEqual({ type: 'prune_notifications', pending: [] });
});
