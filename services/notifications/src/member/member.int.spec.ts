import { memberJoined, memberUpdated, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { envelopeOf, memberOf, NotificationsUnderTest } from '../../test/notifications';
import { MemberProjection } from './member.consumer';

let notifications: NotificationsUnderTest;
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));

const stored = (organization_id: string) =>
  notifications.db.forTenant({ organization_id }, (tx) => tx.selectFrom('members').selectAll().execute());

it('receives members over the stream', async () => {
  const [id, user_id] = [newId(), newId()];
  const ctx = systemContext(id, 'test');
  await notifications.announce(ctx, memberJoined, user_id, { member: memberOf(id, user_id) });
  await notifications.announce(ctx, memberUpdated, user_id, {
    member: memberOf(id, user_id, { email: 'new@example.com', role: 'manager' }),
  });
  await eventually(async () =>
    expect(await stored(id)).toMatchObject([{ user_id, email: 'new@example.com', role: 'manager', sequence: 2 }]),
  );
});

it('stores the newest state if events arrive out of order or twice', async () => {
  const [id, user_id] = [newId(), newId()];
  const ctx = systemContext(id, 'test');
  for (const sequence of [2, 4, 1, 3, 4, 2]) {
    const member = memberOf(id, user_id, { first_name: `Name ${sequence}`, is_active: sequence !== 4 });
    await notifications.db.forTenant(ctx, (tx) =>
      new MemberProjection().onMemberUpdated(ctx, { member }, tx, envelopeOf(ctx, { sequence })),
    );
  }
  expect(await stored(id)).toMatchObject([{ first_name: 'Name 4', is_active: false, sequence: 4 }]);
});
