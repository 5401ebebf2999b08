import { systemContext } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import pg from 'pg';
import { SyncFixture } from '../../test/sync-fixture';
import type { IntegrationsSchema } from '../schema';
import { MemberCache } from '../tool/member-cache';
import { getTaskTool, ToolClients } from '../tool/tool-client';
import { syncLink } from './sync-link';

/** The statements that the test's own pool executes, without those of the running service. */
const applicationName = 'sync-link-test';
const statements: string[] = [];
/** libs/db sends several statements as one batch. */
const textsOf = (query: string | { text: string; statements?: { text: string }[] }): string[] =>
  typeof query === 'string' ? [query] : (query.statements ?? [query]).map(({ text }) => text);

/** No worker runs: the test calls `syncLink` itself. */
let sync: SyncFixture;
let db: Database<IntegrationsSchema>;
beforeAll(async () => {
  sync = await SyncFixture.open({ RUN: 'http,events' });
  // oxlint-disable-next-line typescript/no-explicit-any
  const query: (...args: any[]) => unknown = pg.Client.prototype.query;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const { application_name } = (this as unknown as { connectionParameters: { application_name: string } }).connectionParameters;
    if (application_name === applicationName) statements.push(...textsOf(args[0] as Parameters<typeof textsOf>[0]));
    return query.apply(this, args) as never;
  });
  db = new Database<IntegrationsSchema>({ url: sync.integrations.database.url, applicationName });
});
afterAll(async () => {
  await db.close();
  jest.restoreAllMocks();
});

/** A due link whose ticket has a new title and a comment, and whose task has an unread comment. */
async function aDueLink() {
  const { integrations: service } = sync;
  const organization = service.anOrganization();
  const connection = await service.aConnection(organization);
  const integration = await service.anIntegration(connection);
  const list = 'Customer tickets';
  const task = service.clickup.person.createTask(list, { name: 'Old title' });
  service.clickup.person.comment(task.id, 'Seen in production');
  const [comment] = service.clickup.comments(task.id);
  const copy = await service.aTicketCopy(organization, { subject: 'New title' });
  const { ticket_id } = await service.aLink(integration, {
    ticket_id: copy.ticket_id,
    task_id: task.id,
    next_sync_at: new Date().toISOString(),
    shadow: JSON.stringify({ title: { ticket: 'Old title', task: 'Old title' } }),
    pending_comment_ids: [String(comment!.id)],
  });
  await service.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .insertInto('comment_links')
      .values({
        organization_id: organization.id,
        id: newId(),
        ticket_id,
        comment_id: newId(),
        content: 'Ada: Any news?',
        state: 'pending',
        created_at: new Date().toISOString(),
      })
      .execute(),
  );
  return { organization, connection, task, ticket_id };
}

it('reads the link once without a lock when it syncs a title and two comments', async () => {
  const { organization, connection, task, ticket_id } = await aDueLink();
  const tool = getTaskTool(connection.provider);
  const call = sync.integrations.app.get(ToolClients).forConnection(connection, 1);
  const members = new MemberCache();
  const deps = {
    db,
    ctx: systemContext(organization.id, 'test'),
    config: { PUBLIC_URL: 'https://help.example', TASK_TOOL_TIMEOUT_MS: 2_000 },
  };
  statements.length = 0;
  await syncLink({ ...deps, connection, tool, call, membersOf: (integration) => members.of(tool, integration, call) }, ticket_id);

  const reads = statements.filter((text) => /^select \* from "links" where .*"ticket_id" = /.test(text));
  expect(reads.filter((text) => !text.endsWith('for update'))).toHaveLength(1);
  expect(reads).toHaveLength(5);
  expect(await sync.integrations.findLink(organization, ticket_id)).toMatchObject({
    state: 'linked',
    next_sync_at: null,
    pending_comment_ids: [],
  });
  expect(sync.integrations.clickup.task(task.id)!.name).toBe('New title');
  expect(sync.integrations.clickup.comments(task.id)).toHaveLength(2);
});
