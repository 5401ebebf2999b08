import { cancelInvitation, createInvitation, resendInvitation, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';
import { findMailsOfHour } from './invitation.store';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const invite = (ctx: Context, body: unknown) => identity.call(createInvitation, ctx, { body });
const resend = (ctx: Context, id: string) => identity.call(resendInvitation, ctx, { params: { id } });
const cancel = (ctx: Context, id: string) => identity.call(cancelInvitation, ctx, { params: { id } });
const anAddress = () => `guest-${newId()}@example.com`;
const idOf = ({ data }: { data: Record<string, unknown> }) => data.id as string;

describe('the invitation emails of an organization', () => {
  it('are limited to fifty per hour, until an hour after the first', async () => {
    const team = await TeamUnderTest.found(identity);
    const spent = 50 - 2;
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx
        .insertInto('invitations')
        .values(
          Array.from({ length: spent / 2 }, () => ({
            id: newId(),
            organization_id: team.id,
            email: anAddress(),
            role: 'agent' as const,
            invited_by: null,
            mails_sent: 2,
            token_hash: hashToken(newId()),
            expires_at: new Date(Date.now() + 86_400_000).toISOString(),
          })),
        )
        .execute(),
    );
    const first = await invite(team.admin.ctx, { email: anAddress() });
    const answers = await Promise.all(Array.from({ length: 4 }, () => invite(team.admin.ctx, { email: anAddress() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429, 429, 429]);
    const before = await team.state();
    expect(await resend(team.admin.ctx, idOf(first))).toMatchObject({ status: 429, data: { code: 'invitation.too_many' } });
    expect(await team.state()).toEqual(before);
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx
        .updateTable('invitations')
        .set({ mails_since: new Date(Date.now() - 3_600_000).toISOString() })
        .execute(),
    );
    expect((await resend(team.admin.ctx, idOf(first))).status).toBe(200);
  });

  it('are counted together for an address that was canceled and invited again', async () => {
    const team = await TeamUnderTest.found(identity);
    const email = anAddress();
    for (let number = 0; number < 5; number++) await cancel(team.admin.ctx, idOf(await invite(team.admin.ctx, { email })));
    const { spent } = await identity.db.forTenant({ organization_id: team.id }, (tx) => findMailsOfHour(tx, team.id));
    expect(spent).toBe(5);
  });
});
