import { readPublicOrganization, updateOrganization, weekdays, type Context } from '@tandem/contracts';
import { anonymous, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const update = (ctx: Context, id: string, body: unknown) => identity.call(updateOrganization, ctx, { params: { id }, body });
const span = (from: string, to: string, day = 'mon') => ({ day, from, to });
const holiday = (index: number) => ({ date: new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10), name: `Day ${index}` });

describe('the working time of an organization', () => {
  const settings = {
    time_zone: 'Europe/Berlin',
    business_hours: [span('09:00', '12:30'), span('13:00', '24:00'), span('09:00', '17:30', 'tue')],
    holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
    auto_assign: true,
    default_priority: 'high',
    customer_follow_up: 'reopen',
    instant_lookup: true,
    languages: { default: 'de', offered: ['en', 'de', 'ar'] },
    categories: [{ name: 'Billing', translations: { de: 'Rechnung' } }],
  };

  it('is saved, published, and recorded with the values before and after', async () => {
    const team = await TeamUnderTest.found(identity);
    const { status, data } = await update(team.admin.ctx, team.id, settings);
    expect(status).toBe(200);
    expect(data).toMatchObject(settings);
    const [event] = await team.events('organization.updated');
    expect(event?.data).toEqual({ organization: data });
    expect((await team.log()).at(-1)).toMatchObject({
      type: 'organization.updated',
      actor_id: team.admin.user_id,
      changes: {
        time_zone: { from: 'UTC', to: 'Europe/Berlin' },
        business_hours: { from: null, to: settings.business_hours },
        holidays: { from: [], to: settings.holidays },
        auto_assign: { from: false, to: true },
        default_priority: { from: 'medium', to: 'high' },
        customer_follow_up: { from: 'locked', to: 'reopen' },
        instant_lookup: { from: false, to: true },
        languages: { from: { default: 'en', offered: ['en'] }, to: settings.languages },
        categories: { from: [], to: settings.categories },
      },
    });
  });

  it('is around the clock with null', async () => {
    const team = await TeamUnderTest.found(identity);
    await update(team.admin.ctx, team.id, settings);
    expect((await update(team.admin.ctx, team.id, { business_hours: null, holidays: [] })).data).toMatchObject({
      business_hours: null,
      holidays: [],
      time_zone: 'Europe/Berlin',
    });
  });

  it('is published once: saving it unchanged has no effect', async () => {
    const team = await TeamUnderTest.found(identity);
    await update(team.admin.ctx, team.id, settings);
    await update(team.admin.ctx, team.id, settings);
    expect(await team.events('organization.updated')).toHaveLength(1);
  });

  it('has categories without blank translations, which its customers can read', async () => {
    const team = await TeamUnderTest.found(identity);
    const categories = [{ name: ' Billing ', translations: { de: ' Rechnung ', ar: ' ' } }, { name: 'Delivery' }];
    const saved = [
      { name: 'Billing', translations: { de: 'Rechnung' } },
      { name: 'Delivery', translations: {} },
    ];
    expect((await update(team.admin.ctx, team.id, { categories })).data.categories).toEqual(saved);
    const visitor = await identity.call(readPublicOrganization, anonymous(team.id));
    expect(visitor.data.categories).toEqual(saved);
  });

  it.each(['UTC', 'Australia/Lord_Howe', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])('can be in %s', async (time_zone) => {
    const team = await TeamUnderTest.found(identity);
    expect(await update(team.admin.ctx, team.id, { time_zone })).toMatchObject({ status: 200, data: { time_zone } });
  });

  it('can have hours until midnight, adjacent hours, all weekdays, and 200 holidays', async () => {
    const team = await TeamUnderTest.found(identity);
    const business_hours = weekdays.flatMap((day) => [span('00:00', '12:00', day), span('12:00', '24:00', day)]);
    const holidays = Array.from({ length: 200 }, (_, index) => holiday(index));
    expect((await update(team.admin.ctx, team.id, { business_hours, holidays })).status).toBe(200);
  });

  it.each([
    ['an unknown time zone', { time_zone: 'Europe/Bielefeld' }, 'time_zone'],
    ['an offset', { time_zone: '+02:00' }, 'time_zone'],
    ['the name of summer time', { time_zone: 'CEST' }, 'time_zone'],
    ['an abbreviation without daylight saving', { time_zone: 'EST' }, 'time_zone'],
    ['hours that overlap', { business_hours: [span('09:00', '12:00'), span('11:59', '13:00')] }, 'business_hours'],
    ['hours twice', { business_hours: [span('09:00', '12:00'), span('09:00', '12:00')] }, 'business_hours'],
    ['hours that end before they start', { business_hours: [span('17:00', '09:00')] }, 'business_hours.0.to'],
    ['hours without length', { business_hours: [span('09:00', '09:00')] }, 'business_hours.0.to'],
    ['a beginning at 24:00', { business_hours: [span('24:00', '24:00')] }, 'business_hours.0.from'],
    ['an end after 24:00', { business_hours: [span('09:00', '24:01')] }, 'business_hours.0.to'],
    ['a time without its zero', { business_hours: [span('9:00', '17:00')] }, 'business_hours.0.from'],
    ['an unknown day', { business_hours: [span('09:00', '17:00', 'monday')] }, 'business_hours.0.day'],
    ['no hours at all', { business_hours: [] }, 'business_hours'],
    ['29 spans', { business_hours: Array.from({ length: 29 }, (_, i) => span(`00:${10 + i}`, `00:${11 + i}`)) }, 'business_hours'],
    ['201 holidays', { holidays: Array.from({ length: 201 }, (_, index) => holiday(index)) }, 'holidays'],
    ['a holiday that does not exist', { holidays: [{ date: '2026-02-30', name: 'Never' }] }, 'holidays.0.date'],
    ['a holiday without a name', { holidays: [{ date: '2026-12-25', name: ' ' }] }, 'holidays.0.name'],
    ['an unknown priority', { default_priority: 'critical' }, 'default_priority'],
    ['an unknown follow-up mode', { customer_follow_up: 'never' }, 'customer_follow_up'],
    ['a null follow-up mode', { customer_follow_up: null }, 'customer_follow_up'],
    ['a lookup that is not a boolean', { instant_lookup: 'yes' }, 'instant_lookup'],
    ['an unknown language', { languages: { default: 'tlh', offered: ['en'] } }, 'languages.default'],
    ['an unknown offered language', { languages: { default: 'en', offered: ['en', 'EN'] } }, 'languages.offered.1'],
    ['a default language that is not offered', { languages: { default: 'de', offered: ['en'] } }, 'languages.offered'],
    ['no offered language', { languages: { default: 'en', offered: [] } }, 'languages.offered'],
    ['a default language alone', { languages: { default: 'en' } }, 'languages.offered'],
    ['a category without a name', { categories: [{ name: ' ' }] }, 'categories.0.name'],
    ['a category twice', { categories: [{ name: 'Billing' }, { name: 'billing ' }] }, 'categories.1.name'],
    ['a category in an unknown language', { categories: [{ name: 'Billing', translations: { xx: 'x' } }] }, 'categories.0.translations.xx'],
    ['101 categories', { categories: Array.from({ length: 101 }, (_, index) => ({ name: `Category ${index}` })) }, 'categories'],
    ['an assignment that is not a boolean', { auto_assign: 'yes' }, 'auto_assign'],
  ])('rejects %s, names the field and changes nothing', async (_what, body, path) => {
    const team = await TeamUnderTest.found(identity);
    const before = await team.state();
    const { status, data } = await update(team.admin.ctx, team.id, { name: 'Fine', ...body });
    expect(status).toBe(422);
    expect(data.errors?.[0]).toMatchObject({ path });
    expect(await team.state()).toEqual(before);
  });

  it.each(['reopen', 'new_ticket', 'locked'])('can be saved together with the follow-up mode %s', async (customer_follow_up) => {
    const team = await TeamUnderTest.found(identity);
    await update(team.admin.ctx, team.id, { customer_follow_up: customer_follow_up === 'locked' ? 'reopen' : 'locked' });
    const answer = await update(team.admin.ctx, team.id, { customer_follow_up });
    expect(answer).toMatchObject({ status: 200, data: { customer_follow_up } });
    expect((await team.events('organization.updated')).at(-1)?.data).toEqual({ organization: answer.data });
  });

  it('can be changed only by admins of the organization', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const colleagues = [await team.join('manager'), await team.join('agent')];
    const before = await team.state();
    for (const { ctx } of colleagues)
      for (const body of [{ auto_assign: true }, { customer_follow_up: 'reopen' }, { languages: settings.languages }])
        expect(await update(ctx, team.id, body)).toMatchObject({ status: 403 });
    expect(await update(other.admin.ctx, team.id, { auto_assign: true })).toMatchObject({ status: 404 });
    expect(await team.state()).toEqual(before);
  });
});
