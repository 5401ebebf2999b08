import { linkTicketTask, previewTaskLink, readTicketTask, taskCommentReceived } from '@tandem/contracts';
import { GitHubSandbox } from '@tandem/sandbox';
import { eventually, onTestFileEnd } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture } from '../../test/sync-fixture';
import { github } from '../provider/github/github';
import { statuses } from '../provider/github/shapes';

const { stringContaining } = expect;
const repository_id = 700_001;
const status_mappings = {
  open: 'Open',
  in_progress: 'Open',
  waiting_for_customer: 'Open',
  resolved: 'Closed as completed',
  closed: 'Closed as not planned',
};

let sandbox: GitHubSandbox;
let sync: SyncFixture;
beforeAll(async () => {
  sandbox = await GitHubSandbox.start();
  onTestFileEnd(() => sandbox.close());
  sync = await SyncFixture.open({ GITHUB_API_URL: sandbox.apiUrl });
});

/** An organization with an integration of one repository, whose webhook is delivered to the service. */
async function aFixture() {
  const { integrations } = sync;
  const organization = integrations.anOrganization();
  const { id, login } = sandbox.user('tandem-bot');
  const connection = await integrations.aConnection(organization, {
    provider: github.key,
    token: sandbox.issueToken(),
    account_id: String(id),
    account_name: login,
  });
  const integration = await integrations.anIntegration(connection, {
    workspace_id: '2001',
    workspace_name: 'northwind',
    space_id: null,
    space_name: null,
    list_id: String(repository_id),
    list_name: 'northwind/support',
    next_check_at: new Date().toISOString(),
    statuses: JSON.stringify(statuses),
    status_mappings: JSON.stringify(status_mappings),
  });
  const hook = expect.objectContaining({ active: true, url: stringContaining(connection.id) }) as unknown;
  await eventually(() => expect(sandbox.world.hooks).toContainEqual(hook));
  return { organization, connection, integration, list: 'northwind/support' };
}
const whenSynced = async (...[fixture, ticket]: Parameters<SyncFixture['whenSynced']>) => {
  const { task_id } = await sync.whenSynced(fixture, ticket);
  return sandbox.world.issue(repository_id, Number(task_id.split('/')[1]));
};

it('a ticket and its GitHub issue sync from creation to closing', async () => {
  const fixture = await aFixture();
  const { tickets } = sync;
  const priya = sandbox.user('priya');
  const ticket = await tickets.create(fixture.organization, { tags: ['printer'] });
  const issue = await whenSynced(fixture, ticket);
  expect(issue).toMatchObject({
    title: ticket.subject,
    state: 'open',
    labels: ['printer'],
    body: stringContaining(`/tickets/${ticket.id}`),
  });

  await tickets.change(ticket.id, { subject: 'Another title', tags: ['printer', 'fire'] });
  await eventually(() => expect(issue).toMatchObject({ title: 'Another title', labels: ['printer', 'fire'] }));
  await whenSynced(fixture, ticket);
  expect(sync.changesSentTo(ticket)).toEqual([]);

  await tickets.comment(ticket.id, 'Is it still burning?');
  await eventually(() => expect(sandbox.world.commentsOf(issue)).toMatchObject([{ body: stringContaining('Is it still burning?') }]));
  sandbox.world.comment(issue, 'Not any more.', priya);
  const receivedComments = async () => (await sync.integrations.events(ticket.id)).filter(({ type }) => type === taskCommentReceived.type);
  await eventually(async () => expect((await receivedComments()).map(({ data }) => data)).toMatchObject([{ content: 'Not any more.' }]));

  // Both changes are in the same second: the later one must still be detected.
  sandbox.world.change(issue, { title: 'Renamed over there' }, priya);
  await eventually(() => expect(tickets.get(ticket.id).subject).toBe('Renamed over there'));
  sandbox.world.change(issue, { state: 'closed', state_reason: 'completed' }, priya);
  await eventually(() =>
    expect(tickets.received).toContainEqual(expect.objectContaining({ ticket_id: ticket.id, changes: {}, finished: true })),
  );

  await whenSynced(fixture, ticket);
  expect(sandbox.world.issuesOf(repository_id)).toHaveLength(1);
  expect(sandbox.world.commentsOf(issue)).toHaveLength(2);
  expect(await receivedComments()).toHaveLength(1);
  expect((await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level !== 'info')).toEqual([]);
  expect(sandbox.violations).toEqual([]);
});

it('an issue closed as not planned is not finished work, until it is closed as completed', async () => {
  const fixture = await aFixture();
  const { tickets } = sync;
  const priya = sandbox.user('priya');
  const ticket = await tickets.create(fixture.organization);
  const issue = await whenSynced(fixture, ticket);
  const proposedChanges = () =>
    tickets.received.filter(({ ticket_id }) => ticket_id === ticket.id).map(({ finished, outcome }) => [finished, outcome]);
  const drafted = async () => {
    const { data } = await sync.integrations.call<{ task: { drafted_reply: string | null } }>(
      readTicketTask,
      asStaff(fixture.organization),
      {
        params: { id: ticket.id },
      },
    );
    return data.task.drafted_reply;
  };
  sandbox.world.change(issue, { state: 'closed', state_reason: 'not_planned' }, priya);
  await eventually(() => expect(proposedChanges()).toEqual([[true, 'not_planned']]));
  await whenSynced(fixture, ticket);
  expect(await drafted()).toBeNull();
  sandbox.world.change(issue, { state: 'closed', state_reason: 'completed' }, priya);
  // The sandbox sends no webhook if a closed issue is only closed again for another reason, so an edit follows.
  sandbox.world.change(issue, { title: 'Closed again' }, priya);
  await eventually(() => expect(proposedChanges()).toContainEqual([true, 'finished']));
  await whenSynced(fixture, ticket);
  expect(await drafted()).toContain('finished');
  sandbox.world.change(issue, { state: 'open' }, priya);
  await eventually(() => expect(proposedChanges().at(-1)).toEqual([false, 'finished']));
});

it('an issue of an archived repository cannot be linked by any reference', async () => {
  const fixture = await aFixture();
  const { integrations } = sync;
  const { ticket_id } = await integrations.aTicketCopy(fixture.organization);
  const { number } = sandbox.world.create(repository_id, { title: 'Found by hand' }, sandbox.user('priya'));
  const integration_id = fixture.integration.id;
  const names = [`#${number}`, String(number), `northwind/support#${number}`, `https://github.com/northwind/support/issues/${number}`];
  const code = async (task: string) => {
    const query = { integration_id, task };
    const { data } = await integrations.call<{ code?: string }>(previewTaskLink, asStaff(fixture.organization), {
      params: { id: ticket_id },
      query,
    });
    return data.code;
  };
  const repository = sandbox.world.repository(repository_id);
  repository.archived = true;
  onTestFileEnd(async () => void (repository.archived = false));
  for (const name of names) {
    expect([name, await code(name)]).toEqual([name, 'task.archived']);
    const linked = integrations.call(linkTicketTask, asStaff(fixture.organization), {
      params: { id: ticket_id },
      body: { integration_id, task: name },
    });
    expect(await linked).toMatchObject({ status: 409, data: { code: 'task.archived' } });
  }
  repository.archived = false;
  for (const name of names) expect([name, await code(name)]).toEqual([name, undefined]);
});
