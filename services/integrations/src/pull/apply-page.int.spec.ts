import { systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import type { Updateable } from 'kysely';
import { SyncFixture } from '../../test/sync-fixture';
import type { IntegrationsSchema, LinkRow } from '../schema';
import { applyPage } from './apply-page';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});

const after = (at: string | null, ms: number) => new Date(Date.parse(at!) + ms).toISOString();
/** A link with a change reported by a webhook, on a connection that no worker processes during the test. */
async function aNotifiedLink(changes: Updateable<IntegrationsSchema['links']> = {}, subject: string | null = null) {
  const fixture = await sync.aFixture();
  const { ticket } = await sync.aLinkedTicket(fixture);
  const ctx = systemContext(fixture.organization.id, 'test');
  const { task_read_at } = (await sync.integrations.findLink(fixture.organization, ticket.id))!;
  const notified = { task_notified_at: after(task_read_at, 60_000), next_sync_at: new Date().toISOString() };
  await sync.integrations.db.forTenant(ctx, async (tx) => {
    await tx.updateTable('connections').set({ blocked_until: '2040-01-01T00:00:00.000Z', block_reason: 'rate_limit' }).execute();
    await tx
      .updateTable('links')
      .set({ ...notified, ...changes })
      .execute();
    if (subject !== null) await tx.updateTable('ticket_copies').set({ subject }).execute();
  });
  const find = async () => (await sync.integrations.findLink(fixture.organization, ticket.id)) as LinkRow;
  return { ...fixture, ctx, ticket, find, link: await find() };
}
/** Applies a list page with the task as of `seconds` after it was last read. */
function show({ ctx, integration, link }: Awaited<ReturnType<typeof aNotifiedLink>>, seconds: number, title = link.task!.title) {
  const log = { error: (about: object) => expect(about).toBeUndefined() };
  const snapshot = { ...link.task!, title, updated_at: after(link.task_read_at, seconds * 1_000) };
  return applyPage({ db: sync.integrations.db, log: log as never }, ctx, integration, [snapshot]);
}

describe('a link whose task is on a page of the list', () => {
  it('is finished without a separate visit if both sides agree', async () => {
    const notified = await aNotifiedLink();
    await show(notified, 60);
    expect(await notified.find()).toMatchObject({ next_sync_at: null, task_read_at: notified.link.task_notified_at });
  });

  it('waits for the answer of its ticket if a change was proposed', async () => {
    const notified = await aNotifiedLink();
    await show(notified, 60, 'Another title');
    expect(Date.parse((await notified.find()).next_sync_at!)).toBeGreaterThan(Date.now() + 1_000);
  });

  it.each<[string, Updateable<IntegrationsSchema['links']>, string | null]>([
    ['a comment was reported', { pending_comment_ids: ['90000'] }, null],
    ['the last attempt met a problem', { problem: 'ClickUp does not answer at the moment' }, null],
    ['the ticket has something for the task', {}, 'A new subject'],
  ])('stays due if %s', async (_what, changes, subject) => {
    const notified = await aNotifiedLink(changes, subject);
    await show(notified, 60);
    expect(await notified.find()).toMatchObject({ next_sync_at: notified.link.next_sync_at, task_read_at: notified.link.task_notified_at });
  });

  it('stays due if a comment is waiting to be sent', async () => {
    const notified = await aNotifiedLink();
    const comment = { organization_id: notified.organization.id, id: newId(), ticket_id: notified.ticket.id, state: 'pending' as const };
    await sync.integrations.db.forTenant(notified.ctx, (tx) =>
      tx
        .insertInto('comment_links')
        .values({ ...comment, content: 'On its way', created_at: new Date().toISOString() })
        .execute(),
    );
    await show(notified, 60);
    expect(await notified.find()).toMatchObject({ next_sync_at: notified.link.next_sync_at });
  });

  it('stays due if a later change was reported after the page was read', async () => {
    const notified = await aNotifiedLink();
    await show(notified, 10);
    expect(await notified.find()).toMatchObject({
      next_sync_at: notified.link.next_sync_at,
      task_notified_at: notified.link.task_notified_at,
    });
  });
});
