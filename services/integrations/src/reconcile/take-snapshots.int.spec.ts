import { systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import type { Updateable } from 'kysely';
import { Stage } from '../../test/scene';
import type { IntegrationsSchema, LinkRow } from '../schema';
import { takeSnapshots } from './take-snapshots';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});

const after = (at: string | null, ms: number) => new Date(Date.parse(at!) + ms).toISOString();
/** A link with a change reported by a webhook, on a connection that no worker processes during the test. */
async function aToldLink(changes: Updateable<IntegrationsSchema['links']> = {}, subject: string | null = null) {
  const scene = await stage.aScene();
  const { ticket } = await stage.aPair(scene);
  const ctx = systemContext(scene.organization.id, 'test');
  const { task_seen_at } = (await stage.integrations.findLink(scene.organization, ticket.id))!;
  const told = { task_told_at: after(task_seen_at, 60_000), work_at: new Date().toISOString() };
  await stage.integrations.db.forTenant(ctx, async (tx) => {
    await tx.updateTable('connections').set({ blocked_until: '2040-01-01T00:00:00.000Z', block_reason: 'rate_limit' }).execute();
    await tx
      .updateTable('links')
      .set({ ...told, ...changes })
      .execute();
    if (subject !== null) await tx.updateTable('ticket_copies').set({ subject }).execute();
  });
  const find = async () => (await stage.integrations.findLink(scene.organization, ticket.id)) as LinkRow;
  return { ...scene, ctx, ticket, find, link: await find() };
}
/** Applies a list page with the task as of `seconds` after it was last read. */
function show({ ctx, integration, link }: Awaited<ReturnType<typeof aToldLink>>, seconds: number, title = link.task!.title) {
  const log = { error: (about: object) => expect(about).toBeUndefined() };
  const snapshot = { ...link.task!, title, updated_at: after(link.task_seen_at, seconds * 1_000) };
  return takeSnapshots({ db: stage.integrations.db, log: log as never }, ctx, integration, [snapshot]);
}

describe('a link whose task a page of the list shows', () => {
  it('is worked on no more where both agree', async () => {
    const told = await aToldLink();
    await show(told, 60);
    expect(await told.find()).toMatchObject({ work_at: null, task_seen_at: told.link.task_told_at });
  });

  it('waits for the answer of its ticket where that is to take something', async () => {
    const told = await aToldLink();
    await show(told, 60, 'Another title');
    expect(Date.parse((await told.find()).work_at!)).toBeGreaterThan(Date.now() + 1_000);
  });

  it.each<[string, Updateable<IntegrationsSchema['links']>, string | null]>([
    ['a comment was told', { comments_told: ['90000'] }, null],
    ['the last attempt met a problem', { problem: 'ClickUp does not answer at the moment' }, null],
    ['the ticket has something for the task', {}, 'A new subject'],
  ])('stays due where %s', async (_what, changes, subject) => {
    const told = await aToldLink(changes, subject);
    await show(told, 60);
    expect(await told.find()).toMatchObject({ work_at: told.link.work_at, task_seen_at: told.link.task_told_at });
  });

  it('stays due where a comment waits to be sent', async () => {
    const told = await aToldLink();
    const comment = { organization_id: told.organization.id, id: newId(), ticket_id: told.ticket.id, state: 'pending' as const };
    await stage.integrations.db.forTenant(told.ctx, (tx) =>
      tx
        .insertInto('comment_links')
        .values({ ...comment, content: 'On its way', created_at: new Date().toISOString() })
        .execute(),
    );
    await show(told, 60);
    expect(await told.find()).toMatchObject({ work_at: told.link.work_at });
  });

  it('stays due where it was told of what came after that page', async () => {
    const told = await aToldLink();
    await show(told, 10);
    expect(await told.find()).toMatchObject({ work_at: told.link.work_at, task_told_at: told.link.task_told_at });
  });
});
