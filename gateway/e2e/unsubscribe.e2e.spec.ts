import { randomUUID } from 'node:crypto';
import type { Member, Report } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { eventually, mailbox } from '@tandem/testing';
import { sql } from 'kysely';
import type { Browser } from './client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let owner: OwnerSession;
let me: string;
beforeAll(async () => {
  app = await startTestApp({ SWEEP_MS: '300' });
  owner = await app.signUpOwner();
  me = (await owner.browser.get<Member[]>('/team/members')).data[0]!.user_id;
});

/** Analytics knows its members from events. */
const aReport = () =>
  eventually(async () => {
    const answer = await owner.browser.post<Report>('/analytics/reports', { frequency: 'weekly', recipient_ids: [me] });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.data;
  });
const recipientsOf = async ({ id }: Report) =>
  (await owner.browser.get<Report[]>('/analytics/reports')).data.find((report) => report.id === id)!.recipient_ids;
const seal = (...ids: string[]) => new Secrets(app.env['ENCRYPTION_KEYS']!).seal('report-unsubscribe', ids.join(' '));
const pathOf = (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`;

/** A mail program: no cookies, no origin, and the form of RFC 8058 as its body. */
const oneClick = (path: string, browser: Browser = app.browser()) =>
  browser.send('POST', path, { raw: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } });

describe('the unsubscribe link of a report email', () => {
  it('shows a page that changes nothing, and removes the recipient with one POST', async () => {
    const report = await aReport();
    await app.services.analytics.app
      .get<Database<{ reports: { id: string; next_at: string } }>>(Database)
      .forTenant({ organization_id: owner.organization.id }, (tx) =>
        sql`update reports set next_at = now() - interval '1 minute' where id = ${report.id}`.execute(tx),
      );
    const mail = await mailbox.waitFor({ to: owner.email, subject: /^Weekly report: / });
    const url = new URL(/^<(.+)>$/.exec(mail.headers['list-unsubscribe']!)![1]!);
    const path = `/${url.pathname}${url.search}`;

    const page = await app.browser().get(path);
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.text).toContain('<form method="post"><button>Unsubscribe</button></form>');
    expect(page.text).not.toContain('<script');
    expect((await app.browser().fetch('HEAD', path)).status).toBe(200);
    expect(await recipientsOf(report)).toEqual([me]);

    const answer = await oneClick(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(answer.text).toContain('You’re unsubscribed');
    expect(await recipientsOf(report)).toEqual([]);
    expect((await oneClick(path)).status).toBe(200);
  });

  it('works from the page’s button in a browser, signed in or not', async () => {
    for (const browser of [app.browser(), owner.browser]) {
      const report = await aReport();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'same-origin' };
      const answer = await browser.send('POST', pathOf(seal(owner.organization.id, report.id, me)), { raw: '', headers });
      expect(answer.status).toBe(200);
      expect(await recipientsOf(report)).toEqual([]);
    }
  });

  it('is refused if its token is missing, forged, changed or for another purpose', async () => {
    const report = await aReport();
    const ids = [owner.organization.id, report.id, me];
    const token = seal(...ids);
    const forged = [
      ids.join(' '),
      `${token.slice(0, -2)}AA`,
      new Secrets(app.env['ENCRYPTION_KEYS']!).seal('invitation', ids.join(' ')),
      new Secrets(`k1:${Buffer.alloc(32, 7).toString('base64')}`).seal('report-unsubscribe', ids.join(' ')),
      seal(owner.organization.id, report.id),
      seal(`${owner.organization.id}' or true`, report.id, me),
      'x'.repeat(501),
      '',
    ];
    for (const each of forged) {
      const answer = await oneClick(pathOf(each));
      expect([each, answer.status]).toEqual([each, 410]);
      expect(answer.text).toContain('This unsubscribe link is no longer valid');
    }
    expect((await oneClick('/unsubscribe')).status).toBe(410);
    expect(await recipientsOf(report)).toEqual([me]);
  });

  it('changes nothing in another organization, and nothing for another recipient', async () => {
    const report = await aReport();
    const stranger = await app.signUpOwner();
    expect((await oneClick(pathOf(seal(stranger.organization.id, report.id, me)))).status).toBe(200);
    expect((await oneClick(pathOf(seal(owner.organization.id, report.id, randomUUID())))).status).toBe(200);
    expect((await oneClick(pathOf(seal(owner.organization.id, randomUUID(), me)))).status).toBe(200);
    expect(await recipientsOf(report)).toEqual([me]);
  });
});
