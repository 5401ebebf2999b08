import { readOrganization, ticketPrefixChanged, type Context, type Envelope } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { client, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';
import { TicketPrefixConsumer } from './ticket-prefix.consumer';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const prefixOf = async (team: TeamUnderTest) =>
  (await identity.call(readOrganization, team.admin.ctx, { params: { id: team.id } })).data['ticket_prefix'];
const changeOf = (team: TeamUnderTest, prefix: string) => ({ organization_id: team.id, prefix, previous: 'SC' });

it('the prefix follows the tickets service, is published, and is recorded with user and client', async () => {
  const team = await TeamUnderTest.found(identity);
  const { ctx } = team.admin;
  await identity.db.forTenant(ctx, (tx) => emit(tx, ctx, ticketPrefixChanged, team.id, changeOf(team, 'NEW')));
  await eventually(async () => expect(await prefixOf(team)).toBe('NEW'));
  expect((await team.events('organization.updated')).map(({ data }) => data)).toMatchObject([{ organization: { ticket_prefix: 'NEW' } }]);
  const lines = await identity.db.forTenant(ctx, (tx) =>
    tx.selectFrom('audit_log').selectAll().where('type', '=', 'organization.updated').execute(),
  );
  expect(lines).toMatchObject([
    { actor_id: team.admin.user_id, target: 'Some Company', changes: { ticket_prefix: { from: 'SC', to: 'NEW' } }, ...client },
  ]);
});

it('the prefix ignores an older change that is delivered late', async () => {
  const team = await TeamUnderTest.found(identity);
  const ctx: Context = { organization_id: team.id, actor: { type: 'system' }, request_id: 'test' };
  const apply = (prefix: string, sequence: number) =>
    identity.db.forTenant(ctx, (tx) =>
      new TicketPrefixConsumer().applyPrefix(ctx, changeOf(team, prefix), tx, { actor: ctx.actor, sequence } as Envelope),
    );
  await apply('NEW', 2);
  await apply('LATE', 1);
  expect(await prefixOf(team)).toBe('NEW');
});
