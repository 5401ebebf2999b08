import { reportDue, systemContext, type DataOf, type Envelope } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { connectRedis } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { eventually, mailbox, testServers } from '@tandem/testing';
import { sql } from 'kysely';
import { ImmediateEmails } from '../email/immediate-emails';
import { saveMember } from '../member/member.store';
import { addressOf, envelopeOf, memberOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { aReport } from '../../test/report';
import { ReportEmails } from './report-emails';

const prefix = `report-emails-${newId()}`;
let notifications: NotificationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => (notifications = await NotificationsUnderTest.start({ REDIS_PREFIX: prefix })));
beforeEach(async () => (organization = await notifications.anOrganization()));

const ctxOf = ({ id }: TestOrganization) => systemContext(id, newId());
const dueFor = (...recipient_ids: string[]): DataOf<typeof reportDue> => ({ ...aReport(), report_id: newId(), recipient_ids });
const announce = (report: DataOf<typeof reportDue>) => notifications.announce(ctxOf(organization), reportDue, report.report_id, report);
const addresses = async () => (await notifications.emails(organization)).map(({ to_address }) => to_address).sort();
const mailsTo = (user_id: string) => mailbox.find({ to: addressOf(user_id) });

/** Passes an event to the consumer, like a redelivery that the inbox does not recognize. */
const consume = (report: DataOf<typeof reportDue>, envelope: Envelope, fail = false) =>
  notifications.db.forTenant(ctxOf(organization), async (tx) => {
    await notifications.service.app.get(ReportEmails).onReportDue(ctxOf(organization), report, tx, envelope);
    if (fail) throw new Error('killed');
  });
/** Deletes the email jobs from Redis. */
async function forgetJobs() {
  const redis = connectRedis(testServers().redisUrl);
  const keys = await redis.keys(`${prefix}:jobs:email:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}

describe('a report that is due', () => {
  it('is emailed to each recipient with its figures, and can be stopped in one click', async () => {
    const report = dueFor(organization.admin, organization.manager);
    await announce(report);
    const mail = await mailbox.waitFor({ to: addressOf(organization.admin) });
    expect(mail.subject).toBe('Weekly report: Nov 9 – 15, 2026 · Northwind');
    expect(mail.text).toContain('Total tickets: 42 (▲ Up from 35)');
    expect(mail.html).toContain('<h2');
    expect(mail.headers.from).toMatch(/^Northwind Support <support@tandem\.localhost>$/);
    expect(mail.headers['auto-submitted']).toBe('auto-generated');
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const [, url = ''] = /^<(.+)>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? [];
    expect(mail.links).toContain(url);
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe('http://localhost:3000/api/v1/unsubscribe');
    const opened = new Secrets(notifications.env.ENCRYPTION_KEYS!).open('report-unsubscribe', searchParams.get('token')!);
    expect(opened).toBe([organization.id, report.report_id, organization.admin].join(' '));

    const other = await mailbox.waitFor({ to: addressOf(organization.manager) });
    expect(other.headers['list-unsubscribe']).not.toBe(mail.headers['list-unsubscribe']);
  });

  it('is emailed neither to agents, nor to members who left, nor to members of another organization, nor to unknown users', async () => {
    const other = await notifications.anOrganization();
    await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
      saveMember(tx, memberOf(organization.id, organization.manager, { is_active: false }), 2),
    );
    await announce(dueFor(organization.manager, other.admin, newId(), organization.agent, organization.admin));
    await notifications.allIsConsumed();
    expect(await addresses()).toEqual([addressOf(organization.admin)]);
    expect(await notifications.emails(other)).toEqual([]);
  });

  it('is emailed to no one if it has no recipients', async () => {
    await announce(dueFor());
    await notifications.allIsConsumed();
    expect(await addresses()).toEqual([]);
  });

  it('is emailed once although its event arrives again', async () => {
    const report = dueFor(organization.admin, organization.manager);
    const envelope = envelopeOf(ctxOf(organization));
    await consume(report, envelope);
    await Promise.all([consume(report, envelope), consume(report, envelope)]);
    expect(await addresses()).toEqual([addressOf(organization.admin), addressOf(organization.manager)].sort());
    await eventually(async () => expect((await notifications.emails(organization)).map(({ state }) => state)).toEqual(['sent', 'sent']));
    expect(await mailsTo(organization.admin)).toHaveLength(1);
    expect(await mailsTo(organization.manager)).toHaveLength(1);

    // The next report is another event.
    await consume(report, envelopeOf(ctxOf(organization)));
    await eventually(async () => expect(await mailsTo(organization.admin)).toHaveLength(2));
  });

  it('is emailed once although the process dies in the transaction, before the job and while sending', async () => {
    const report = dueFor(organization.admin);
    const envelope = envelopeOf(ctxOf(organization));
    await expect(consume(report, envelope, true)).rejects.toThrow('killed');
    expect(await addresses()).toEqual([]);

    // The state that a killed worker leaves: its claim has expired, and its job is lost. This process, which lives, must not send it.
    const reserve = jest.spyOn(notifications.service.app.get(ImmediateEmails), 'reserve').mockReturnValue(0);
    await notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await notifications.service.app.get(ReportEmails).onReportDue(ctxOf(organization), report, tx, envelope);
      await sql`update emails set state = 'sending', attempts = 1, claimed_until = now() - interval '1 second',
        created_at = now() - interval '1 minute' where organization_id = ${organization.id}`.execute(tx);
    });
    reserve.mockRestore();
    await forgetJobs();
    await mailbox.waitFor({ to: addressOf(organization.admin) });
    await consume(report, envelope);
    await eventually(async () => expect((await notifications.emails(organization)).map(({ state }) => state)).toEqual(['sent']));
    expect(await mailsTo(organization.admin)).toHaveLength(1);
  });
});

afterAll(forgetJobs);
