import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  checkSenderDomain,
  deleteSenderDomain,
  readSenderDomain,
  rotateSenderKey,
  saveSenderDomain,
  sendTestEmail,
  ticketCreated,
  type Context,
  type SenderDomain,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { DnsServer, eventually } from '@tandem/testing';
import { dkimVerify } from 'mailauth/lib/dkim/verify';
import { TestMailServer } from '../../test/mail-server';
import { addressOf, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { dkimKeyPurpose, keyRecord, type Selector } from './sender-record';
import { SenderWorker } from './sender.worker';
import { findPublishedKeysAcrossOrganizations } from './sender.store';

let notifications: NotificationsUnderTest;
let dns: DnsServer;
const mailServer = new TestMailServer();
const { mails } = mailServer;

beforeAll(async () => {
  dns = await DnsServer.start();
  const { port } = await mailServer.start();
  notifications = await NotificationsUnderTest.start({ DNS_SERVERS: dns.address, SMTP_URL: `smtp://127.0.0.1:${port}` });
});
afterAll(async () => {
  await notifications.service.close();
  await mailServer.stop();
  dns.close();
});

/** DNS limits each string of a TXT record to 255 bytes. */
const strings = (record: string): string[] => record.match(/.{1,255}/g)!;

/** An organization with its own sender domain, whose DNS records are not set yet. */
class Sender {
  private constructor(
    readonly organization: TestOrganization,
    readonly domain: string,
  ) {}

  static async create(): Promise<Sender> {
    const sender = new Sender(await notifications.anOrganization(), `d${newId().slice(-12)}.example`);
    expect((await sender.save()).status).toBe(200);
    return sender;
  }

  get admin(): Context {
    return notifications.as(this.organization, 'admin');
  }
  save = (body: object = { domain: this.domain }) => notifications.call<SenderDomain>(saveSenderDomain, this.admin, { body });
  check = async () => (await notifications.call<SenderDomain>(checkSenderDomain, this.admin)).data;
  rotate = () => notifications.call<SenderDomain>(rotateSenderKey, this.admin);
  read = async () => (await notifications.call<SenderDomain>(readSenderDomain, this.admin)).data;

  keys = async () =>
    (await notifications.db.asSystem('test', findPublishedKeysAcrossOrganizations)).filter(
      ({ organization_id }) => organization_id === this.organization.id,
    );
  /** Publishes records as the operator does with the output of `dkim-records`, whose strings have at most 255 bytes. */
  async publish(): Promise<void> {
    for (const { selector, public_key } of await this.keys()) dns.records.set(this.target(selector), [strings(keyRecord(public_key))]);
  }
  target = (selector: Selector) => `tnd${selector}.${this.organization.id}.dkim.tandem.localhost`;
  async setRecords(): Promise<void> {
    for (const { name, value } of (await this.read()).records) dns.aliases.set(name, value);
  }
  /** The operator's records of the address that never changes, with the CNAME record of the organization. */
  async setBounceHost(): Promise<void> {
    const { name, value } = (await this.read()).bounces.record;
    dns.aliases.set(name, value);
    dns.mailServers.set(value, 'in.tandem.localhost');
    dns.records.set(value, [['v=spf1 ip4:127.0.0.1 -all']]);
  }
  async verify(): Promise<void> {
    await this.setRecords();
    await this.publish();
    expect((await this.check()).is_verified).toBe(true);
  }

  /** The next email to a customer, with the result of an independent verification of its signature. */
  async mail() {
    const customer_email = `${newId()}@customer.example`;
    const ticket = notifications.ticket(this.organization, { customer_email });
    await notifications.announce(notifications.as(this.organization, 'agent'), ticketCreated, ticket.id, { ticket });
    await eventually(() => expect([...mails.keys()]).toContain(customer_email));
    const { from: envelope, content } = mails.get(customer_email)!;
    const resolver = (name: string) => {
      const found = dns.records.get(dns.aliases.get(name) ?? name);
      return found ? Promise.resolve(found) : Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    };
    const { results } = await dkimVerify(content, { resolver });
    const headers = content.slice(0, content.indexOf('\r\n\r\n')).replace(/\r\n\s+/g, ' ');
    const header = (name: string) => new RegExp(`^${name}: (?:.*<)?([^\\s<>]+)>?\r?$`, 'm').exec(headers)![1]!;
    return {
      from: header('From'),
      replyTo: header('Reply-To'),
      envelope,
      signatures: results.map(({ signingDomain, selector, status }) => [signingDomain, selector, status.result, status.aligned]),
    };
  }
}

const auditOf = async ({ organization }: Sender): Promise<string[]> => {
  const rows = await notifications.db.asSystem('test', (tx) =>
    tx
      .selectFrom('outbox')
      .select('envelope')
      .where('type', '=', 'sender_domain.changed')
      .where('organization_id', '=', organization.id)
      .orderBy('position')
      .execute(),
  );
  return rows.map(({ envelope }) => (envelope as unknown as { data: { what: string } }).data.what);
};

describe('a sender domain', () => {
  it('is used once its key is in DNS: the signature is valid and aligned, replies and bounces still arrive', async () => {
    const sender = await Sender.create();
    const before = await sender.mail();
    expect(before).toMatchObject({
      from: `support@${sender.organization.id}.tandem.localhost`,
      signatures: [[undefined, undefined, 'none', undefined]],
    });
    await sender.verify();
    expect(await sender.read()).toMatchObject({ address: `support@${sender.domain}`, is_verified: true, is_key_published: true });
    const after = await sender.mail();
    expect(after).toMatchObject({
      from: `support@${sender.domain}`,
      signatures: [[sender.domain, 'tnd1', 'pass', sender.domain]],
    });
    expect(after.replyTo).toMatch(/^support\+[a-z2-7]{39}@.*\.tandem\.localhost$/);
    const { data: test } = await notifications.call(sendTestEmail, sender.admin);
    expect(test).toMatchObject({ to: addressOf(sender.organization.admin), from: `support@${sender.domain}`, sent_by: 'sender_domain' });
    expect(mails.get(addressOf(sender.organization.admin))?.content).toContain(`d=${sender.domain}`);
    expect(after.envelope).toMatch(/^bounce\+[a-z2-7]{39}@.*\.tandem\.localhost$/);
    expect(await auditOf(sender)).toEqual(['saved', 'verified']);
  });

  it('shows for each record whether it is missing, wrong or found, and that the key is not published yet', async () => {
    const sender = await Sender.create();
    const states = async () => (await sender.check()).records.map(({ state, found }) => [state, ...found]);
    expect(await states()).toEqual([['missing'], ['missing']]);
    dns.aliases.set(`tnd1._domainkey.${sender.domain}`, 'tnd1.other.dkim.example');
    dns.records.set(`tnd2._domainkey.${sender.domain}`, [['v=DKIM1; k=rsa; ', 'p=AAAA']]);
    expect(await states()).toEqual([
      ['wrong', 'tnd1.other.dkim.example'],
      ['wrong', 'v=DKIM1; k=rsa; p=AAAA'],
    ]);
    await sender.setRecords();
    expect(await sender.check()).toMatchObject({
      is_verified: false,
      is_key_published: false,
      records: [{ state: 'found' }, { state: 'found' }],
    });
  });

  it('may have a copy of the key instead of the CNAME record, but no second key', async () => {
    const sender = await Sender.create();
    const [key] = await sender.keys();
    const name = `tnd1._domainkey.${sender.domain}`;
    dns.records.set(name, [strings(keyRecord(key!.public_key)), ['v=DKIM1; p=AAAA']]);
    expect(await sender.check()).toMatchObject({ is_verified: false });
    dns.records.set(name, [strings(keyRecord(key!.public_key))]);
    expect(await sender.check()).toMatchObject({ is_verified: true, records: [{ state: 'found' }, { state: 'missing' }] });
  });

  it('shows the DMARC policy', async () => {
    const sender = await Sender.create();
    expect((await sender.check()).dmarc).toEqual({ name: `_dmarc.${sender.domain}`, record: null, policy: null });
    dns.records.set(`_dmarc.${sender.domain}`, [['google-site-verification=x'], ['v=DMARC1; p=quarantine; rua=mailto:x@example.com']]);
    expect((await sender.check()).dmarc).toMatchObject({ record: expect.stringContaining('v=DMARC1'), policy: 'quarantine' });
  });

  it('is no longer used when its record is gone, but stays in use while DNS does not answer', async () => {
    const sender = await Sender.create();
    await sender.verify();
    dns.isSilent = true;
    try {
      const { status, data } = await notifications.call(checkSenderDomain, sender.admin);
      expect([status, data.code]).toEqual([503, 'sender_domain.not_checked']);
      await notifications.service.app.get(SenderWorker).check(sender.admin, { organization_id: sender.organization.id });
    } finally {
      dns.isSilent = false;
    }
    expect((await sender.read()).is_verified).toBe(true);
    dns.aliases.delete(`tnd1._domainkey.${sender.domain}`);
    expect(await sender.check()).toMatchObject({ is_verified: false, records: [{ state: 'missing' }, { state: 'found' }] });
    expect((await sender.mail()).from).toBe(`support@${sender.organization.id}.tandem.localhost`);
    expect(await auditOf(sender)).toEqual(['saved', 'verified', 'lapsed']);
    await notifications.allIsConsumed();
    expect(await notifications.notices(sender.organization)).toEqual([
      expect.objectContaining({ user_id: sender.organization.admin, kind: 'sender_domain_lapsed' }),
    ]);
    const warning = addressOf(sender.organization.admin);
    await eventually(() => expect(mails.get(warning)?.content).toContain(`Subject: Emails no longer come from ${sender.domain}`));
  });

  it('is checked regularly, and concurrent checks change it once', async () => {
    const sender = await Sender.create();
    await eventually(async () => expect((await sender.read()).checked_at).not.toBeNull());
    await sender.setRecords();
    await sender.publish();
    const worker = notifications.service.app.get(SenderWorker);
    const isDue = async () => (await worker.findDue()).some(({ id }) => id === sender.organization.id);
    expect(await isDue()).toBe(false);
    const data = { organization_id: sender.organization.id };
    await Promise.all([1, 2, 3].map(() => worker.check(sender.admin, data)));
    expect(await auditOf(sender)).toEqual(['saved', 'verified']);
    await notifications.db.forTenant(data, (tx) =>
      tx.updateTable('sender_domains').set({ next_check_at: '2026-01-01T00:00:00Z' }).execute(),
    );
    await eventually(async () => expect(await isDue()).toBe(false));
  });

  it('starts unverified again when it is replaced, and keeps its key', async () => {
    const sender = await Sender.create();
    await sender.verify();
    const [key] = await sender.keys();
    expect((await sender.save({ domain: sender.domain, local_part: 'Help.Desk' })).data).toMatchObject({
      address: `help.desk@${sender.domain}`,
      is_verified: true,
    });
    const { data } = await sender.save({ domain: `other-${sender.domain}` });
    expect(data).toMatchObject({ is_verified: false, checked_at: null, records: [{ state: null }, { state: null }] });
    expect(await sender.keys()).toEqual([key]);
  });
});

describe('the bounce host', () => {
  it('is the envelope sender once its record is found, so that SPF is aligned, and no longer when it is gone', async () => {
    const sender = await Sender.create();
    await sender.setBounceHost();
    // Without a signature, no email comes from this domain.
    expect((await sender.check()).bounces).toMatchObject({ is_verified: true, is_published: true, record: { state: 'found' } });
    expect((await sender.mail()).envelope).toMatch(/@.*\.tandem\.localhost$/);
    await sender.verify();
    expect((await sender.mail()).envelope).toMatch(new RegExp(`^bounce\\+[a-z2-7]{39}@tnd-bounces\\.${sender.domain}$`));
    dns.aliases.delete(`tnd-bounces.${sender.domain}`);
    expect(await sender.check()).toMatchObject({ is_verified: true, bounces: { is_verified: false, record: { state: 'missing' } } });
    expect((await sender.mail()).envelope).toMatch(/^bounce\+[a-z2-7]{39}@.*\.tandem\.localhost$/);
    expect(await auditOf(sender)).toEqual(['saved', 'bounces_verified', 'verified', 'bounces_lapsed']);
    await sender.setBounceHost();
    await sender.check();
    expect((await sender.save({ domain: `new-${sender.domain}` })).data.bounces).toMatchObject({
      is_verified: false,
      record: { state: null },
    });
  });

  it('is wrong if it leads elsewhere, and waits for records that the operator has not published', async () => {
    const sender = await Sender.create();
    const name = `tnd-bounces.${sender.domain}`;
    dns.mailServers.set(name, 'mx.other.example');
    dns.records.set(name, [['v=spf1 -all'], ['google-site-verification=x']]);
    expect((await sender.check()).bounces).toMatchObject({
      is_verified: false,
      record: { state: 'wrong', found: ['mx.other.example', 'v=spf1 -all'] },
    });
    dns.aliases.set(name, 'bounces.other.example');
    expect((await sender.check()).bounces.record).toMatchObject({ state: 'wrong', found: ['bounces.other.example'] });
    await sender.setBounceHost();
    const { value } = (await sender.read()).bounces.record;
    dns.records.set(value, [['v=spf1 a -all'], ['v=spf1 mx -all']]);
    expect((await sender.check()).bounces).toEqual({
      is_verified: false,
      is_published: false,
      record: { name, value: `${sender.organization.id}.tandem.localhost`, state: 'found', found: [] },
    });
  });
});

describe('the signing key', () => {
  it('has 2048 bits and is stored sealed', async () => {
    const sender = await Sender.create();
    const row = await notifications.db.forTenant({ organization_id: sender.organization.id }, (tx) =>
      tx.selectFrom('sender_keys').selectAll().executeTakeFirstOrThrow(),
    );
    expect(row.sealed_private_key).not.toContain('PRIVATE');
    const pem = new Secrets(notifications.env.ENCRYPTION_KEYS!).open(dkimKeyPurpose, row.sealed_private_key);
    const key = createPrivateKey(pem);
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64')).toBe(row.public_key);
  });

  it('is replaced without a gap: the new one waits until it is in DNS, the old one stays there', async () => {
    const sender = await Sender.create();
    await sender.verify();
    const { data } = await sender.rotate();
    expect(data).toMatchObject({ is_rotating: true, is_verified: true });
    const waiting = await sender.keys();
    expect((await sender.rotate()).data).toMatchObject({ is_rotating: true });
    expect([waiting.map(({ state }) => state), await sender.keys()]).toEqual([['active', 'next'], waiting]);
    await sender.check();
    expect((await sender.mail()).signatures).toEqual([[sender.domain, 'tnd1', 'pass', sender.domain]]);
    await sender.publish();
    expect(await sender.check()).toMatchObject({
      is_rotating: false,
      is_verified: true,
      records: [{ is_in_use: false }, { is_in_use: true }],
    });
    expect((await sender.mail()).signatures).toEqual([[sender.domain, 'tnd2', 'pass', sender.domain]]);
    expect((await sender.keys()).map(({ state }) => state)).toEqual(['retired', 'active']);
    const again = await sender.rotate();
    expect([again.status, again.data.code]).toEqual([409, 'sender_domain.key_too_new']);
    await notifications.db.forTenant({ organization_id: sender.organization.id }, (tx) =>
      tx.updateTable('sender_keys').set({ retired_at: '2026-01-01T00:00:00Z' }).where('state', '=', 'retired').execute(),
    );
    expect((await sender.keys()).map(({ state }) => state)).toEqual(['active']);
    expect((await sender.rotate()).data).toMatchObject({ is_rotating: true });
    expect((await sender.keys()).map(({ selector, state }) => [selector, state])).toEqual([
      [1, 'next'],
      [2, 'active'],
    ]);
    expect(await auditOf(sender)).toEqual(['saved', 'verified', 'key_generated', 'key_generated']);
  });
});

describe('access', () => {
  const operations = [readSenderDomain, saveSenderDomain, checkSenderDomain, rotateSenderKey, deleteSenderDomain];
  const bodyOf = (operation: object) => (operation === saveSenderDomain ? { body: { domain: 'north.example' } } : {});

  it('is changed by admins only, and closed to tokens', async () => {
    const sender = await Sender.create();
    const token: Context = {
      organization_id: sender.organization.id,
      actor: { type: 'token', token_id: newId(), name: 'Importer', permissions: ['organization:write'], via: 'api' },
      request_id: newId(),
    };
    for (const operation of operations) {
      const agent = notifications.as(sender.organization, 'agent');
      // Every member may read settings, as with the branding.
      if (operation !== readSenderDomain) expect((await notifications.call(operation, agent, bodyOf(operation))).status).toBe(403);
      expect((await notifications.call(operation, token, bodyOf(operation))).data.code).toBe('token.not_allowed');
    }
    expect((await sender.read()).domain).toBe(sender.domain);
  });

  it('does not reach the domain of another organization', async () => {
    const sender = await Sender.create();
    const stranger = notifications.as(await notifications.anOrganization(), 'admin');
    expect((await notifications.call(readSenderDomain, stranger)).data).toBeNull();
    for (const operation of [checkSenderDomain, rotateSenderKey, deleteSenderDomain])
      expect((await notifications.call(operation, stranger)).data.code).toBe('sender_domain.not_found');
    // Both may enter a domain: only one has its CNAME record.
    await sender.verify();
    expect((await notifications.call(saveSenderDomain, stranger, { body: { domain: sender.domain } })).status).toBe(200);
    expect((await notifications.call<SenderDomain>(checkSenderDomain, stranger)).data).toMatchObject({
      is_verified: false,
      records: [{ state: 'wrong' }, { state: 'wrong' }],
    });
  });

  it.each([
    {},
    { domain: '' },
    { domain: 'localhost' },
    { domain: '127.0.0.1' },
    { domain: '[::1]' },
    { domain: 'a_b.example' },
    { domain: 'example.com:25' },
    { domain: 'user@example.com' },
    { domain: 'north.tandem.localhost' },
    { domain: ['north.example'] },
    { domain: 'north.example', local_part: '' },
    { domain: 'north.example', local_part: 'a"b' },
    { domain: 'north.example', local_part: 'a..b' },
    { domain: 'north.example', local_part: 'a\r\nBcc: x' },
    { domain: 'north.example', organization_id: newId() },
  ])('refuses %j', async (body) => {
    const organization = await notifications.anOrganization();
    const admin = notifications.as(organization, 'admin');
    const { status, data } = await notifications.call(saveSenderDomain, admin, { body });
    expect([status, data.code]).toEqual([422, 'request.invalid']);
    expect((await notifications.call(readSenderDomain, admin)).data).toBeNull();
  });

  it('deletes the domain and its keys', async () => {
    const sender = await Sender.create();
    await sender.verify();
    expect((await notifications.call(deleteSenderDomain, sender.admin)).status).toBe(200);
    expect([await sender.read(), await sender.keys()]).toEqual([null, []]);
    expect((await sender.mail()).from).toBe(`support@${sender.organization.id}.tandem.localhost`);
    expect((await notifications.call(deleteSenderDomain, sender.admin)).data.code).toBe('sender_domain.not_found');
    expect(await auditOf(sender)).toEqual(['saved', 'verified', 'deleted']);
  });
});
