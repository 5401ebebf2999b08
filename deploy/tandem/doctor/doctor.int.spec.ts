import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates, type Server } from 'node:tls';
import { connectRedis, Nats, type NatsOptions } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { certificate, DnsServer, testEnv, testServers } from '@tandem/testing';
import { S3Sandbox } from '@tandem/tickets/test/s3-sandbox';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { startInfrastructure, type Infrastructure } from '../../local/infrastructure.ts';
import command from '../commands/doctor';
import { diagnose } from './doctor';
import { clockDifference } from './postgres';

const host = 'help.tandem.test';
const mailDomain = 'mail.tandem.test';
const day = 24 * 60 * 60 * 1000;
const before = process.env;
const trusted = getCACertificates('default');

let refusal: Error | undefined;
let acceptedRecipient = `support@acme.${mailDomain}`;
let env: Record<string, string>;
let dns: DnsServer;
let web: Server;
let mailServer: SMTPServer;
let mailIn: SMTPServer;
let redisInstance: Infrastructure;
let nats: Nats;
let files: string;
const s3 = new S3Sandbox();
const smtpPassword = randomBytes(12).toString('hex');
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKey = (pair: typeof keys) => pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const valid = certificate({ from: new Date(Date.now() - day), until: new Date(Date.now() + 90 * day), names: [host] });

const listening = async (server: { listen(port: number, host: string, done: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => void server.listen(0, '127.0.0.1', resolve));
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'tandem-doctor-'));
  const { pgAdminUrl: PG_ADMIN_URL, natsUrl: NATS_URL, smtpUrl: SMTP_URL, mailboxUrl: MAILBOX_URL } = testServers();
  // Its configuration is changed, which would break other tests on the shared server.
  const addresses = { PG_ADMIN_URL, NATS_URL, SMTP_URL, MAILBOX_URL };
  const directory = join(tmpdir(), 'tandem-tests', `doctor-${randomBytes(4).toString('hex')}`);
  redisInstance = await startInfrastructure({ directory, ephemeral: true, log: () => undefined, addresses });

  web = createServer(valid, (socket) => socket.end());
  mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'tandem' && password === smtpPassword ? done(null, { user: username }) : done(new Error('Wrong')),
  });
  mailIn = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(refusal ?? (address === acceptedRecipient ? null : new Error('Unknown'))),
  });
  await Promise.all([listening(web), listening(mailServer.server), listening(mailIn.server), s3.start()]);
  dns = await DnsServer.start();

  env = {
    ...((await testEnv()) as Record<string, string>),
    PG_ADMIN_URL,
    REDIS_URL: redisInstance.env.REDIS_URL,
    DNS_SERVERS: dns.address,
    PUBLIC_URL: `https://${host}:${portOf(web)}`,
    SMTP_URL: `smtp://tandem:${smtpPassword}@127.0.0.1:${portOf(mailServer.server)}`,
    MAIL_DOMAIN: mailDomain,
    MAIL_FROM: `hello@${host}`,
    MAIL_IN_HOST: '0.0.0.0',
    MAIL_IN_PORT: String(portOf(mailIn.server)),
    DKIM_SELECTOR: 'tandem',
    DKIM_PRIVATE_KEY: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    ATTACHMENTS_DIR: files,
  };
  nats = new Nats(env as unknown as NatsOptions, 'test', createLogger('test', 'silent'));
  await nats.ensureStream();
  await query(
    'IDENTITY_DATABASE_URL',
    `insert into organizations (id, organization_id, name, slug, subdomain, ticket_prefix, trial_ends_at)
     select id, id, 'Acme', 'acme', 'acme', 'ACM', now() from gen_random_uuid() as id`,
  );
}, 120_000);

beforeEach(() => {
  process.env = { ...before, ...env };
  setDefaultCACertificates([...trusted, valid.cert]);
  dns.records.clear();
  dns.addresses.clear();
  const probe = 'tandem-doctor-probe';
  for (const name of [host, `${probe}.${host}`]) dns.addresses.set(name, '127.0.0.1');
  for (const name of [host, `${probe}.${mailDomain}`]) dns.records.set(name, [['v=spf1 ip4:192.0.2.1 -all']]);
  dns.records.set(`_dmarc.${mailDomain}`, [['v=DMARC1; p=quarantine']]);
  dns.records.set(`tandem._domainkey.${mailDomain}`, [[`v=DKIM1; k=rsa; p=${publicKey(keys).slice(0, 200)}`, publicKey(keys).slice(200)]]);
  dns.mailServers.set(`${probe}.${mailDomain}`, `in.${mailDomain}`);
});
afterEach(() => {
  process.env = before;
  setDefaultCACertificates(trusted);
  jest.restoreAllMocks();
});
afterAll(async () => {
  dns?.close();
  web?.close();
  await Promise.all([nats?.close(), redisInstance?.stop(), s3.close(), ...[mailServer, mailIn].map((each) => closed(each))]);
  rmSync(files, { recursive: true, force: true });
});
const closed = (server: SMTPServer | undefined): Promise<void> =>
  new Promise((resolve) => (server ? server.close(() => resolve()) : resolve()));

/** Runs a statement as the administrator. */
async function query(variable: string, sql: string): Promise<void> {
  const url = new URL(testServers().pgAdminUrl);
  url.pathname = new URL(env[variable]!).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
const changed = (url: string, change: Partial<URL>): string => Object.assign(new URL(url), change).href;
const redis = async (...args: [string, ...string[]]): Promise<void> => {
  const client = connectRedis(env.REDIS_URL!);
  await client.call(...args);
  client.disconnect();
};

type Undo = () => unknown;
interface Broken {
  what: string;
  /** Returns how to repair it. */
  breakIt(): Undo | Promise<Undo>;
  check: string;
  status?: 'warning';
  message: RegExp;
  fix: RegExp;
}
const set = (variables: Record<string, string>) => () => {
  Object.assign(process.env, variables);
  return () => undefined;
};

const setups: Broken[] = [
  {
    what: 'a placeholder as secret',
    breakIt: () => set({ CONTEXT_SECRET: 'change-me-change-me-change-me-change-me' })(),
    check: 'settings',
    message: /^CONTEXT_SECRET looks like a placeholder/,
    fix: /openssl rand/,
  },
  {
    what: 'PostgreSQL that is not running',
    breakIt: () => set({ PG_ADMIN_URL: changed(env.PG_ADMIN_URL!, { port: '1' }) })(),
    check: 'postgres',
    message: /^PostgreSQL at 127\.0\.0\.1:1 does not accept PG_ADMIN_URL: .*ECONNREFUSED/,
    fix: /^Start PostgreSQL/,
  },
  {
    what: 'an administrator that row-level security restricts',
    breakIt: async () => {
      const role = `doctor_${testServers().run}`;
      await query('IDENTITY_DATABASE_URL', `create role ${role} login password 'restricted'`);
      process.env.PG_ADMIN_URL = changed(env.PG_ADMIN_URL!, { username: role, password: 'restricted' });
      return () => query('IDENTITY_DATABASE_URL', `drop role ${role}`);
    },
    check: 'postgres',
    message: /cannot read the rows of all organizations/,
    fix: /BYPASSRLS/,
  },
  {
    what: 'a service with the rights of the administrator',
    breakIt: () =>
      set({ ANALYTICS_DATABASE_URL: changed(env.PG_ADMIN_URL!, { pathname: new URL(env.ANALYTICS_DATABASE_URL!).pathname }) })(),
    check: 'databases',
    message: /^The role \w+ of analytics bypasses row-level security/,
    fix: /nosuperuser nobypassrls/,
  },
  {
    what: 'a clock that is two minutes ahead',
    breakIt: () => {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 120_000);
      return () => undefined;
    },
    check: 'postgres',
    message: /^The clock of the database server differs from this machine's by 1[12]\d seconds/,
    fix: /^Synchronize/,
  },
  {
    what: 'a database of the previous version',
    breakIt: async () => {
      await query(
        'TICKETS_DATABASE_URL',
        `create table saved as select * from schema_migrations; delete from schema_migrations where source = 'service'`,
      );
      return () =>
        query('TICKETS_DATABASE_URL', `insert into schema_migrations select * from saved where source = 'service'; drop table saved`);
    },
    check: 'databases',
    message: /^The database of tickets lacks \d+ migrations of this version \(the first is 0001_/,
    fix: /^Run the migrate job/,
  },
  {
    what: 'a removed encryption key',
    breakIt: async () => {
      await query(
        'TICKETS_DATABASE_URL',
        `insert into mailboxes (organization_id, id, host, port, username, sealed_password, folder, is_active)
         values (gen_random_uuid(), gen_random_uuid(), 'imap.example.com', 993, 'support', 'lost.a.b.c', 'INBOX', false)`,
      );
      return () => query('TICKETS_DATABASE_URL', 'delete from mailboxes');
    },
    check: 'encryption keys',
    message: /^Stored secrets need the key lost, which is not configured \(tickets mailboxes\.sealed_password\)/,
    fix: /^Add lost with its previous value to ENCRYPTION_KEYS/,
  },
  {
    what: 'a wrong password for NATS',
    breakIt: () => set({ NATS_URL: changed(env.NATS_URL!, { password: 'wrong' }) })(),
    check: 'nats',
    message: /does not accept the connection: .*uthorization/,
    fix: /^Correct user and password in NATS_URL/,
  },
  {
    what: 'NATS that accepts connections and does not answer',
    breakIt: async () => {
      const sockets: Socket[] = [];
      const hung = createTcpServer((socket) => void sockets.push(socket));
      await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
      process.env.NATS_URL = changed(env.NATS_URL!, { port: String((hung.address() as AddressInfo).port) });
      return () => {
        for (const socket of sockets) socket.destroy();
        hung.close();
      };
    },
    check: 'nats',
    message: /does not accept the connection: timeout\.$/,
    fix: /NATS hangs: restart it/,
  },
  {
    what: 'a stream with other subjects',
    breakIt: () => set({ EVENTS_PREFIX: 'other' })(),
    check: 'nats',
    message: /has unexpected values of subjects\.$/,
    fix: /nats stream edit/,
  },
  {
    what: 'a stream with another maximum size than configured',
    breakIt: set({ NATS_STREAM_MAX_BYTES: '5000000' }),
    check: 'nats',
    message: /has no maximum size, but NATS_STREAM_MAX_BYTES is 5000000\.$/,
    fix: /restart them/,
  },
  {
    what: 'a stream with fewer replicas than configured',
    breakIt: set({ NATS_STREAM_REPLICAS: '3' }),
    check: 'nats',
    message: /has 1 replica, but NATS_STREAM_REPLICAS is 3\.$/,
    fix: /restart them/,
  },
  {
    what: 'a full stream that deletes events',
    breakIt: async () => {
      const { jsm } = await nats.connected();
      const { config } = await jsm.streams.info(nats.stream);
      await jsm.streams.update(nats.stream, { ...config, max_bytes: 5_000_000 });
      return () => jsm.streams.update(nats.stream, config);
    },
    check: 'nats',
    message: /deletes events that no service has processed when it is full \(discard old\)\.$/,
    fix: /NATS_STREAM_MAX_BYTES/,
  },
  {
    what: 'a malformed limit of the stream',
    breakIt: set({ NATS_STREAM_REPLICAS: 'three' }),
    check: 'settings',
    message: /^NATS_STREAM_REPLICAS /,
    fix: /^Correct NATS_STREAM_REPLICAS/,
  },
  {
    what: 'a replica of Redis',
    breakIt: async () => {
      await redis('REPLICAOF', '127.0.0.1', '1');
      return () => redis('REPLICAOF', 'NO', 'ONE');
    },
    check: 'redis',
    message: /is a replica, which refuses writes\.$/,
    fix: /primary/,
  },
  {
    what: 'Redis that evicts jobs',
    breakIt: async () => {
      await redis('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
      return () => redis('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    },
    check: 'redis',
    message: /maxmemory-policy allkeys-lru/,
    fix: /noeviction/,
  },
  {
    what: 'a wrong password for the mail server',
    breakIt: () => set({ SMTP_URL: changed(env.SMTP_URL!, { password: 'wrong' }) })(),
    check: 'outgoing email',
    message: /^The server refused the user name or the password\.$/,
    fix: /^Check both/,
  },
  {
    what: 'a listener for incoming email that is overloaded',
    breakIt: () => {
      refusal = Object.assign(new Error('Try again later'), { responseCode: 451 });
      return () => (refusal = undefined);
    },
    check: 'incoming email',
    status: 'warning',
    message: /accepts nothing right now: 451 /,
    fix: /^Run the command again/,
  },
  {
    what: 'no listener for incoming email',
    breakIt: () => set({ MAIL_IN_PORT: '1' })(),
    check: 'incoming email',
    message: /^Incoming email: 127\.0\.0\.1:1 does not respond/,
    fix: /^Start the tickets service/,
  },
  {
    what: 'a listener for the emails of another domain',
    breakIt: () => {
      acceptedRecipient = 'support@acme.another.test';
      return () => (acceptedRecipient = `support@acme.${mailDomain}`);
    },
    check: 'incoming email',
    message: /^The listener for incoming email refuses support@acme\.mail\.tandem\.test: 550/,
    fix: /^Set the same MAIL_DOMAIN/,
  },
  {
    what: 'no wildcard record',
    breakIt: () => {
      dns.addresses.delete(`tandem-doctor-probe.${host}`);
      return () => undefined;
    },
    check: 'dns',
    message: /^DNS has no record for \*\.help\.tandem\.test/,
    fix: /A or AAAA record for \*\.help\.tandem\.test/,
  },
  {
    what: 'an expired certificate',
    breakIt: () => {
      const expired = certificate({ from: new Date(Date.now() - 90 * day), until: new Date(Date.now() - 2 * day), names: [host] });
      web.setSecureContext(expired);
      return () => web.setSecureContext(valid);
    },
    check: 'certificate',
    message: /^The certificate of help\.tandem\.test:\d+ expired on /,
    fix: /^Renew/,
  },
  {
    what: 'a proxy that has no certificate yet',
    breakIt: () => {
      web.setSecureContext({});
      return () => web.setSecureContext(valid);
    },
    check: 'certificate',
    message: /^help\.tandem\.test:\d+ does not answer with TLS at 127\.0\.0\.1: the proxy refuses this host, .+ \(ERR_SSL_\S+\)\.$/,
    fix: /wait a minute/,
  },
  {
    what: 'a certificate that expires soon',
    breakIt: () => {
      const soon = certificate({ from: new Date(Date.now() - 80 * day), until: new Date(Date.now() + 9.5 * day), names: [host] });
      setDefaultCACertificates([...trusted, soon.cert]);
      web.setSecureContext(soon);
      return () => web.setSecureContext(valid);
    },
    check: 'certificate',
    status: 'warning',
    message: /expires in 9 days/,
    fix: /^Renew/,
  },
  {
    what: 'the key of another server in DNS',
    breakIt: () => {
      const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
      dns.records.set(`tandem._domainkey.${mailDomain}`, [
        [`v=DKIM1; k=rsa; p=${publicKey(other).slice(0, 200)}`, publicKey(other).slice(200)],
      ]);
      return () => undefined;
    },
    check: 'sender records',
    message: /does not belong to DKIM_PRIVATE_KEY/,
    fix: /^Publish a TXT record for tandem\._domainkey/,
  },
  {
    what: 'a signing key that is not a key',
    breakIt: set({ DKIM_PRIVATE_KEY: 'none' }),
    check: 'sender records',
    message: /^DKIM_PRIVATE_KEY is not a private key in PEM\.$/,
    fix: /^Correct it/,
  },
  {
    what: 'a selector without a key',
    breakIt: set({ DKIM_PRIVATE_KEY: '' }),
    check: 'sender records',
    message: /^Only one of DKIM_SELECTOR and DKIM_PRIVATE_KEY is set/,
    fix: /^Set both/,
  },
  {
    what: 'no MX record, where the host has an address',
    breakIt: () => {
      dns.mailServers.clear();
      dns.addresses.set(`tandem-doctor-probe.${mailDomain}`, '192.0.2.7');
      return () => undefined;
    },
    check: 'sender records',
    status: 'warning',
    message: /^DNS has no MX record for \*\.mail\.tandem\.test, so customers' replies are sent to port 25 of 192\.0\.2\.7\.$/,
    fix: /^Publish an MX record/,
  },
  {
    what: 'an MX record that refuses email',
    breakIt: () => {
      dns.mailServers.set(`tandem-doctor-probe.${mailDomain}`, '.');
      return () => undefined;
    },
    check: 'sender records',
    status: 'warning',
    message: /replies do not arrive\.$/,
    fix: /^Publish an MX record/,
  },
  {
    what: 'no SPF record',
    breakIt: () => {
      dns.records.delete(`tandem-doctor-probe.${mailDomain}`);
      return () => undefined;
    },
    check: 'sender records',
    status: 'warning',
    message: /^DNS has no SPF record for \*\.mail\.tandem\.test/,
    fix: /v=spf1/,
  },
  {
    what: 'no SPF record of a single organization',
    breakIt: () => {
      dns.mailServers.set(`acme.${mailDomain}`, `in.${mailDomain}`);
      return set({ SINGLE_ORGANIZATION: 'true' })();
    },
    check: 'sender records',
    status: 'warning',
    message: /^DNS has no SPF record for acme\.mail\.tandem\.test\.$/,
    fix: /v=spf1/,
  },
  {
    what: 'SINGLE_ORGANIZATION with two organizations',
    breakIt: async () => {
      for (const record of [dns.records, dns.mailServers] as Map<string, unknown>[])
        record.set(`acme.${mailDomain}`, record.get(`tandem-doctor-probe.${mailDomain}`));
      await query(
        'IDENTITY_DATABASE_URL',
        `insert into organizations (id, organization_id, name, slug, ticket_prefix, trial_ends_at)
         values ('00000000-0000-0000-0000-000000000002', '00000000-0000-0000-0000-000000000002', 'Second', 'second', 'SEC', now())`,
      );
      set({ SINGLE_ORGANIZATION: 'true' })();
      return async () => {
        await query('IDENTITY_DATABASE_URL', `delete from organizations where slug = 'second'`);
      };
    },
    check: 'organizations',
    message: /but there are 2 organizations: identity does not start\.$/,
    fix: /^Remove the variable/,
  },
  {
    what: 'a value of SINGLE_ORGANIZATION that prevents the start',
    breakIt: set({ SINGLE_ORGANIZATION: 'yes' }),
    check: 'settings',
    message: /^SINGLE_ORGANIZATION must be one of true, false\.$/,
    fix: /^Correct SINGLE_ORGANIZATION/,
  },
  {
    what: 'a folder for files that cannot be written',
    breakIt: () => {
      writeFileSync(join(files, 'a-file'), '');
      return set({ ATTACHMENTS_DIR: join(files, 'a-file') })();
    },
    check: 'files',
    message: /^A file in the folder .*a-file cannot be stored: .*EEXIST|ENOTDIR/,
    fix: /ATTACHMENTS_DIR/,
  },
  {
    what: 'a key without rights on the bucket',
    breakIt: () => {
      s3.faults = { status: 403 };
      const { accessKeyId, secretAccessKey, region } = s3.keys;
      return set({
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: s3.bucket,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      })();
    },
    check: 'files',
    message: /^A file in the bucket files cannot be stored: S3 answered 403/,
    fix: /s3:PutObject/,
  },
];

/** The servers of this machine may be older than recommended. */
const isExpected = ({ message }: { message: string }): boolean => /is older than recommended|but is older than/.test(message);
const problems = async () => (await diagnose()).filter((finding) => finding.status !== 'ok' && !isExpected(finding));

it('finds nothing wrong with a complete setup, and leaves no data behind', async () => {
  expect(await problems()).toEqual([]);
  expect((await diagnose()).map(({ check }) => check)).toEqual(
    expect.arrayContaining(['postgres', 'nats', 'redis', 'certificate', 'files']),
  );
  expect(s3.objects.size).toBe(0);
});

it.each(setups)('diagnoses $what, and nothing else', async ({ breakIt, check, status = 'error', message, fix }) => {
  const repair = await breakIt();
  try {
    expect(await problems()).toEqual([
      { check, status, message: expect.stringMatching(message) as string, fix: expect.stringMatching(fix) as string },
    ]);
  } finally {
    await repair();
  }
});

/** Complete setups that differ from the usual one. */
const complete: Pick<Broken, 'what' | 'breakIt'>[] = [
  {
    what: 'the DMARC record of the parent domain',
    breakIt: () => {
      dns.records.delete(`_dmarc.${mailDomain}`);
      dns.records.set('_dmarc.tandem.test', [['v=DMARC1; p=reject']]);
      return () => undefined;
    },
  },
  {
    what: 'a DKIM key in the form of PKCS#1',
    breakIt: () => {
      const pkcs1 = keys.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64');
      dns.records.set(`tandem._domainkey.${mailDomain}`, [[`v=DKIM1; p=${pkcs1.slice(0, 200)}`, pkcs1.slice(200)]]);
      return () => undefined;
    },
  },
  { what: 'a mail server that signs', breakIt: set({ DKIM_SELECTOR: '', DKIM_PRIVATE_KEY: '' }) },
  { what: 'the defaults of optional variables, as Compose passes them', breakIt: set({ PORTAL_DOMAINS: '', LOG_LEVEL: '' }) },
  {
    what: 'a single organization with the records of its own names only',
    breakIt: () => {
      dns.addresses.delete(`tandem-doctor-probe.${host}`);
      dns.mailServers.delete(`tandem-doctor-probe.${mailDomain}`);
      dns.records.set(`acme.${mailDomain}`, dns.records.get(`tandem-doctor-probe.${mailDomain}`)!);
      dns.records.delete(`tandem-doctor-probe.${mailDomain}`);
      dns.mailServers.set(`acme.${mailDomain}`, `in.${mailDomain}`);
      return set({ SINGLE_ORGANIZATION: 'true' })();
    },
  },
  {
    what: 'a certificate of six days',
    breakIt: () => {
      const short = certificate({ from: new Date(Date.now() - 2 * day), until: new Date(Date.now() + 4 * day), names: [host] });
      setDefaultCACertificates([...trusted, short.cert]);
      web.setSecureContext(short);
      return () => web.setSecureContext(valid);
    },
  },
  {
    what: 'an organization without a portal',
    breakIt: async () => {
      await query(
        'IDENTITY_DATABASE_URL',
        `insert into organizations (id, organization_id, name, slug, ticket_prefix, trial_ends_at)
         values ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001', 'No portal', 'none', 'NON', now())`,
      );
      return () => query('IDENTITY_DATABASE_URL', `delete from organizations where slug = 'none'`);
    },
  },
];

it.each(complete)('finds nothing wrong with $what', async ({ breakIt }) => {
  const repair = await breakIt();
  try {
    expect(await problems()).toEqual([]);
  } finally {
    await repair();
  }
});

it.each([
  [10_000, 0],
  [-7_000, -7_000],
  [27_000, 7_000],
])('does not mistake a slow response for a clock difference: server %d, difference %d', (server, difference) =>
  expect(clockDifference(server, { sent: 0, received: 20_000 })).toBe(difference),
);

it('names only the records that it has checked', async () => {
  Object.assign(process.env, { DKIM_SELECTOR: '', DKIM_PRIVATE_KEY: '', MAIL_IN_PORT: '' });
  const { message } = (await diagnose()).find(({ check }) => check === 'sender records')!;
  expect(message).toBe(`DNS has the records of ${mailDomain} for SPF, DMARC.`);
});

it('reports all unmigrated databases in one finding', async () => {
  const url = new URL(env.TICKETS_DATABASE_URL!);
  for (const service of ['IDENTITY', 'TICKETS', 'NOTIFICATIONS', 'INTEGRATIONS', 'ANALYTICS']) {
    const own = new URL(env[`${service}_DATABASE_URL`]!);
    process.env[`${service}_DATABASE_URL`] = Object.assign(own, { pathname: `${url.pathname}_absent` }).href;
  }
  expect(await problems()).toEqual(
    Array.from(
      { length: 5 },
      () => expect.objectContaining({ check: 'databases', fix: 'Run the migrate job, which creates the databases.' }) as object,
    ),
  );
});

it('names TLS as the problem if the database server does not offer it', async () => {
  process.env.PG_ADMIN_URL = `${env.PG_ADMIN_URL}?sslmode=require`;
  expect(await problems()).toEqual([
    {
      check: 'postgres',
      status: 'error',
      message: expect.stringContaining('does not support SSL') as string,
      fix: 'Remove sslmode from PG_ADMIN_URL, or turn on TLS on the server.',
    },
  ]);
});

it('reports that DNS does not answer, not that records are missing', async () => {
  dns.isSilent = true;
  try {
    const found = (await problems()).map(({ check, message }) => [check, message.split(':')[0]]);
    expect(found).toEqual(['sender records', 'dns', 'certificate'].map((check) => [check, 'DNS does not answer']));
  } finally {
    dns.isSilent = false;
  }
}, 60_000);

it.each([
  // Broadcast: no TCP connection can be routed to it.
  ['an address that this machine has no route to', '255.255.255.255', []],
  ['a second address without a proxy', '127.0.0.2', ['warning']],
  ['only an IPv6 address, where nothing listens', '::1', ['error']],
])('reads the certificate if the host has %s', async (_what, address, expected) => {
  dns.addresses.set(host, address === '::1' ? address : ['127.0.0.1', address]);
  const found = await problems();
  expect(found.map(({ check, status }) => [check, status])).toEqual(expected.map((status) => ['certificate', status]));
  expect(found.filter(({ message }) => !message.includes(`does not answer with TLS at ${address}: `))).toEqual([]);
});

it('reports a variable that is missing', async () => {
  delete process.env.REDIS_URL;
  expect((await problems()).filter(({ check }) => check === 'redis')).toEqual([
    { check: 'redis', status: 'error', message: 'REDIS_URL is not set.', fix: expect.any(String) as string },
  ]);
});

describe('the command', () => {
  const output: string[] = [];
  beforeEach(() => {
    output.length = 0;
    jest.spyOn(console, 'log').mockImplementation((line: string) => void output.push(line));
  });

  it('exits with 0 if there are only warnings, and prints JSON', async () => {
    dns.records.delete(`_dmarc.${mailDomain}`);
    expect(await command.run(['--json'])).toBe(0);
    const { is_ok, findings } = JSON.parse(output.join('')) as { is_ok: boolean; findings: { check: string; status: string }[] };
    expect(is_ok).toBe(true);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'sender records', status: 'warning' }));
  });

  it('exits with 1 on an error, with one sentence and a fix, and shows no password', async () => {
    process.env.REDIS_URL = changed(env.REDIS_URL!, { port: '1' });
    expect(await command.run([])).toBe(1);
    const at = output.findIndex((line) => line.startsWith('ERROR   redis: Redis at 127.0.0.1:1 does not accept the connection'));
    expect(output[at + 1]).toMatch(/^ +Start Redis/);
    for (const variable of ['REDIS_URL', 'PG_ADMIN_URL', 'NATS_URL', 'SMTP_URL']) {
      const { password } = new URL(process.env[variable]!);
      expect(output.filter((line) => password !== '' && line.includes(password))).toEqual([]);
    }
  });
});
