import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resetPassword, signIn } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, IdentityUnderTest } from '@tandem/identity/test/identity';
import { eventually, mailbox, startFlakyProxy, testEnv, testServers } from '@tandem/testing';
import pg from 'pg';
import { readBackup } from '../backup/manifest';
import { Refused } from '../installation';
import admin from './admin';
import deadLetters from './dead-letters';
import mail from './mail';
import supportBundle from './support-bundle';
import upgrade from './upgrade';

const before = process.env;
let env: Record<string, string>;
let identity: IdentityUnderTest;
let folder: string;
const output: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-commands-'));
  identity = await IdentityUnderTest.start();
  env = {
    ...((await testEnv()) as Record<string, string>),
    PG_ADMIN_URL: testServers().pgAdminUrl,
    IDENTITY_DATABASE_URL: identity.database.url,
    PUBLIC_URL: 'https://help.tandem.test',
    // Those of libs/testing: migrations set the passwords of roles, which other test files use.
    DATABASE_OWNER_PASSWORD: 'owner-of-tests',
    DATABASE_SERVICE_PASSWORD: 'service-of-tests',
  };
}, 120_000);
beforeEach(() => {
  process.env = { ...before, ...env };
  output.length = 0;
  jest.spyOn(console, 'log').mockImplementation((line: string) => void output.push(line));
});
afterEach(() => {
  process.env = before;
  jest.restoreAllMocks();
});
afterAll(async () => {
  await identity?.close();
  rmSync(folder, { recursive: true, force: true });
});

const anAddress = (): string => `grace-${randomBytes(4).toString('hex')}@example.com`;

describe('tandem dead-letters replay', () => {
  it.each(['all', 'one'])('says in a sentence that an event is still too large for NATS (%s)', async (which) => {
    const id = newId();
    const envelope = {
      specversion: '1.0',
      id: newId(),
      type: 'organization.updated',
      source: '/services/identity',
      time: new Date().toISOString(),
      subject: newId(),
      datacontenttype: 'application/json',
      organizationid: newId(),
      actor: { type: 'system' },
      requestid: 'request',
      traceparent: null,
      sequence: 1,
      data: { text: 'x'.repeat(1_100_000) },
    };
    const letter = { id, consumer: 'identity-relay', event_id: envelope.id, error: 'Too large', attempts: 1 };
    const values = { ...letter, envelope: JSON.stringify(envelope) };
    await identity.db.asSystem('test', (tx) => tx.insertInto('dead_letters').values(values).execute());
    try {
      await expect(deadLetters.run(['replay', 'identity', which === 'all' ? which : id])).rejects.toEqual(
        new Refused('1 still larger than NATS accepts: raise its max_payload, then repeat the command.'),
      );
      expect(output).toEqual(['0 replayed']);
    } finally {
      await identity.db.asSystem('test', (tx) => tx.deleteFrom('dead_letters').execute());
    }
  });

  it('refuses an id that no dead letter has', async () => {
    const id = newId();
    await expect(deadLetters.run(['replay', 'identity', id])).rejects.toEqual(
      new Refused(`identity has no dead letter ${id} that can be replayed.`),
    );
  });
});

describe('tandem admin create', () => {
  const create = (email: string, ...options: string[]) => admin.run(['create', email, '--organization', 'Acme Outdoors', ...options]);
  const newPassword = 'x7Kq!m2v-quiet-9';

  it('creates an organization and its admin, who sets the password with a link that works once', async () => {
    process.env.SINGLE_ORGANIZATION = 'true';
    const email = anAddress();
    expect(await create(email.toUpperCase(), '--subdomain', 'acme-outdoors')).toBe(0);
    expect(output[0]).toBe(`Acme Outdoors has the subdomain acme-outdoors, and ${email.toUpperCase()} is its admin.`);
    const token = /^https:\/\/help\.tandem\.test\/auth\/reset-password\?token=(.+)$/m.exec(output.join('\n'))![1]!;
    const body = { token: decodeURIComponent(token), password: newPassword };
    expect(await identity.call(resetPassword, anonymous(), { body })).toMatchObject({ status: 200 });
    expect(await identity.call(resetPassword, anonymous(), { body })).toMatchObject({ status: 410 });
    expect(await identity.call(signIn, anonymous(), { body: { email, password: newPassword } })).toMatchObject({ status: 200 });
    const rows = await identity.db.asSystem('test', (tx) =>
      tx
        .selectFrom('members')
        .innerJoin('organizations', 'organizations.id', 'members.organization_id')
        .innerJoin('users', 'users.id', 'members.user_id')
        .select(['members.role', 'organizations.name', 'organizations.id'])
        .where('users.email', '=', email)
        .execute(),
    );
    expect(rows).toEqual([{ role: 'admin', name: 'Acme Outdoors', id: expect.any(String) as string }]);
    const log = await identity.db.forTenant({ organization_id: rows[0]!.id }, (tx) =>
      tx.selectFrom('audit_log').select(['type', 'actor_id']).orderBy('type').execute(),
    );
    expect(log).toEqual(expect.arrayContaining(['member.joined', 'organization.created'].map((type) => ({ type, actor_id: null }))));
  });

  it('refuses a second organization with SINGLE_ORGANIZATION', async () => {
    process.env.SINGLE_ORGANIZATION = 'true';
    const weight = await identity.weight();
    await expect(create(anAddress())).rejects.toThrow('The installation has its organization (SINGLE_ORGANIZATION=true).');
    expect(await identity.weight()).toEqual(weight);
  });

  it('changes nothing if the address belongs to a member, or the subdomain is taken, reserved or malformed', async () => {
    const email = anAddress();
    await create(email, '--subdomain', 'taken-by-first');
    const weight = await identity.weight();
    await expect(create(email)).rejects.toThrow(`${email} is already a member of an organization.`);
    await expect(create(anAddress(), '--subdomain', 'taken-by-first')).rejects.toThrow('The subdomain taken-by-first is taken.');
    await expect(create(anAddress(), '--subdomain', 'www')).rejects.toThrow('The subdomain www is reserved');
    await expect(create(anAddress(), '--subdomain', 'No Spaces')).rejects.toThrow('The subdomain No Spaces is reserved, or not');
    await expect(create('no-address')).rejects.toThrow('no-address is not an email address.');
    await expect(admin.run(['create', anAddress(), '--organization', '  '])).rejects.toThrow('The name of the organization');
    expect(await identity.weight()).toEqual(weight);
  });

  it('gives an existing account its organization, and no link to its password', async () => {
    const { email } = await identity.aPerson();
    expect(await create(email)).toBe(0);
    expect(output.join('\n')).toContain('The account existed: its password has not changed.');
    expect(output.join('\n')).not.toContain('token=');
  });

  it.each([
    [[]],
    [['create']],
    [['create', 'a@example.com']],
    [['reset-2fa', 'a@example.com', '--organization', 'Acme']],
    [['remove', 'a@example.com']],
  ])('refuses the arguments %j', async (args) => expect(admin.run(args)).rejects.toThrow('usage: tandem admin create'));
});

describe('tandem mail test', () => {
  it('sends a signed email through the mail server and reports each step', async () => {
    const to = anAddress();
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    Object.assign(process.env, {
      MAIL_FROM: 'help@mail.tandem.test',
      MAIL_DOMAIN: 'mail.tandem.test',
      DKIM_SELECTOR: 'tnd',
      DKIM_PRIVATE_KEY: key.replaceAll('\n', '\\n'),
    });
    expect(await mail.run(['test', to])).toBe(0);
    expect(output.slice(0, 4)).toEqual([
      expect.stringMatching(/^ok {6}connected to 127\.0\.0\.1:\d+ with/),
      'ok      no sign-in: SMTP_URL has no user',
      'ok      signed with DKIM',
      expect.stringMatching(/^ok {6}accepted from help@mail\.tandem\.test for .*: 250/),
    ]);
    const received = await mailbox.waitFor({ to });
    expect(received).toMatchObject({
      subject: 'Test email from Tandem',
      headers: { 'dkim-signature': expect.stringContaining('s=tnd') as string },
    });
  });

  it('reports the step that fails', async () => {
    const proxy = await startFlakyProxy(testServers().smtpUrl);
    proxy.cut();
    process.env.SMTP_URL = proxy.url;
    expect(await mail.run(['test', anAddress()])).toBe(1);
    expect(output).toEqual([expect.stringMatching(/^failed {2}127\.0\.0\.1 on port \d+ /)]);
    await proxy.close();
  });

  it.each([[[]], [['test']], [['test', 'no-address']], [['send', 'a@example.com']]])('refuses the arguments %j', async (args) =>
    expect(mail.run(args)).rejects.toThrow('usage: tandem mail test'),
  );
});

describe('tandem upgrade', () => {
  /** Databases that no service uses: otherwise the command waits until all services agree. */
  let own: Record<string, string>;
  beforeAll(async () => {
    own = { ...env, ...((await testEnv()) as Record<string, string>) };
  });
  beforeEach(() => void Object.assign(process.env, own));
  const query = async (service: string, sql: string): Promise<Record<string, unknown>[]> => {
    const url = new URL(testServers().pgAdminUrl);
    url.pathname = new URL(own[`${service}_DATABASE_URL`]!).pathname;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  /** The last migrations of two services, and what reverts that of identity. That of analytics can be repeated. */
  const [last, lastOfIdentity] = ['0010_fact_custom_fields.sql', '0012_organization_deletion_index.sql'];
  const revertIdentity = 'alter table organizations drop plan';
  const applied = `select name from schema_migrations where name = '${last}'`;
  const downgradeAnalytics = async () => {
    await query('ANALYTICS', `delete from schema_migrations where name = '${last}'`);
  };

  it('backs up the earlier schema, migrates, and explains the next steps and how to go back', async () => {
    await downgradeAnalytics();
    const directory = join(folder, 'before-upgrade');
    expect(await upgrade.run([directory])).toBe(0);
    expect(output).toEqual(expect.arrayContaining([`applied analytics/${last}`]));
    expect(output.join('\n')).toContain(`run the previous version's tandem restore ${directory}`);
    expect(await query('ANALYTICS', applied)).toHaveLength(1);
    const { databases } = await readBackup(directory);
    expect(databases.analytics!.migrations.map(({ name }) => name)).toContain('0006_filter_indexes.sql');
    expect(databases.analytics!.migrations.map(({ name }) => name)).not.toContain(last);

    output.length = 0;
    expect(await upgrade.run([join(folder, 'not-needed')])).toBe(0);
    expect(output).toEqual([expect.stringMatching(/already\. No backup was made\.$/)]);
    expect(existsSync(join(folder, 'not-needed'))).toBe(false);
  });

  describe('that was interrupted', () => {
    const manifestOf = (directory: string) => readFileSync(join(directory, 'manifest.json'), 'utf8');
    const filesOf = (directory: string) =>
      readdirSync(directory, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.gz'))
        .map((name) => [name, statSync(join(directory, name)).mtimeMs]);

    it('after the backup: continues with it', async () => {
      await downgradeAnalytics();
      const directory = join(folder, 'interrupted-after-backup');
      process.env.DATABASE_OWNER_PASSWORD = '';
      await expect(upgrade.run([directory])).rejects.toThrow('DATABASE_OWNER_PASSWORD is not set.');
      expect(await query('ANALYTICS', applied)).toEqual([]);
      const [manifest, files] = [manifestOf(directory), filesOf(directory)];

      process.env.DATABASE_OWNER_PASSWORD = own.DATABASE_OWNER_PASSWORD;
      output.length = 0;
      expect(await upgrade.run([directory])).toBe(0);
      expect(output[0]).toBe('1 migrations to run. The upgrade was interrupted: it continues.');
      expect(output.join('\n')).toContain(`run the previous version's tandem restore ${directory}`);
      expect(await query('ANALYTICS', applied)).toHaveLength(1);
      expect(filesOf(directory)).toEqual(files);
      expect(manifestOf(directory)).toBe(manifest.replace('"is_complete": false', '"is_complete": true'));
      await expect(upgrade.run([directory])).resolves.toBe(0);
      await downgradeAnalytics();
      await expect(upgrade.run([directory])).rejects.toThrow('is not empty: choose a new folder');
      await upgrade.run([join(folder, 'next-upgrade')]);
    });

    it('in the middle of the migrations: refuses a second backup, and continues with the first', async () => {
      await query('IDENTITY', `${revertIdentity}; delete from schema_migrations where name = '${lastOfIdentity}'`);
      await downgradeAnalytics();
      // The migration of analytics does not find its table.
      await query('ANALYTICS', 'alter table ticket_facts rename to hidden');
      const directory = join(folder, 'interrupted-in-migrations');
      await expect(upgrade.run([directory])).rejects.toThrow(`${last} failed`);
      const [manifest, files] = [manifestOf(directory), filesOf(directory)];
      const names = `select name from schema_migrations where name = '${lastOfIdentity}'`;
      await eventually(async () => expect(await query('IDENTITY', names)).toHaveLength(1));

      const second = join(folder, 'second-backup');
      await expect(upgrade.run([second])).rejects.toThrow(`Run tandem upgrade ${directory}, which continues with that backup.`);
      expect(existsSync(second)).toBe(false);
      await query('ANALYTICS', 'alter table hidden rename to ticket_facts');
      output.length = 0;
      expect(await upgrade.run([directory])).toBe(0);
      expect(output).toEqual(expect.arrayContaining([`applied analytics/${last}`]));
      expect(filesOf(directory)).toEqual(files);
      expect(manifestOf(directory)).toBe(manifest.replace('"is_complete": false', '"is_complete": true'));
    });
  });

  it('changes no schema if the backup fails', async () => {
    await downgradeAnalytics();
    await expect(upgrade.run([folder])).rejects.toThrow('is not empty: choose a new folder');
    expect(await query('ANALYTICS', applied)).toEqual([]);
    expect(await upgrade.run([join(folder, 'second-try')])).toBe(0);
  });

  it('refuses databases of a newer version with a sentence, and changes nothing', async () => {
    await downgradeAnalytics();
    await query('TICKETS', `insert into schema_migrations (source, name, checksum) values ('service', '9999_later.sql', 'x')`);
    const directory = join(folder, 'refused');
    await expect(upgrade.run([directory])).rejects.toThrow(
      /^The database of tickets is of a newer version than \S+: it has the migration 9999_later\.sql\. A database cannot be downgraded\./,
    );
    expect(await query('ANALYTICS', applied)).toEqual([]);
    expect(existsSync(directory)).toBe(false);
    await query('TICKETS', `delete from schema_migrations where name = '9999_later.sql'`);
    expect(await upgrade.run([join(folder, 'third-try')])).toBe(0);
  });
});

describe('tandem support-bundle', () => {
  const canary = (name: string): string => `canary-${name}-${randomBytes(16).toString('hex')}`;

  it('contains versions, findings, tables, lags and errors, and no secret', async () => {
    const [file, logs] = [join(folder, 'bundle.json'), mkdtempSync(join(folder, 'logs-'))];
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const secrets = {
      CONTEXT_SECRET: canary('context'),
      SESSION_SECRET: canary('session'),
      LINK_SECRET: canary('link'),
      DATABASE_OWNER_PASSWORD: canary('owner'),
      DATABASE_SERVICE_PASSWORD: canary('service'),
      S3_SECRET_ACCESS_KEY: canary('s3'),
      S3_ACCESS_KEY_ID: canary('s3-id'),
      GITHUB_CLIENT_SECRET: canary('github'),
      UNKNOWN_VARIABLE: canary('unknown'),
    };
    const [smtp, key] = [canary('smtp'), randomBytes(32).toString('base64')];
    Object.assign(process.env, secrets, {
      SMTP_URL: `smtp://tandem:${smtp}@127.0.0.1:1`,
      ENCRYPTION_KEYS: `${process.env.ENCRYPTION_KEYS},old:${key}`,
      DKIM_SELECTOR: 'tnd',
      DKIM_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
    });
    const pemLines = pem.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
    const passwords = [env.PG_ADMIN_URL!, env.NATS_URL!, env.REDIS_URL!].map((url) => new URL(url).password);
    const all = [...Object.values(secrets).filter((value) => value !== secrets.UNKNOWN_VARIABLE), smtp, key, ...pemLines, ...passwords];
    const lines = [
      ...all.map((secret) => JSON.stringify({ level: 50, msg: `refused ${secret} of smtp://tandem:${secret}@mail` })),
      JSON.stringify({ level: 'error', msg: 'the error to find' }),
      JSON.stringify({ level: 'info', msg: 'no error' }),
    ];
    writeFileSync(join(logs, 'tickets.log'), lines.join('\n'));

    expect(await supportBundle.run([file, '--logs', logs])).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect([...all, secrets.UNKNOWN_VARIABLE].filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain('canary-');

    const bundle = JSON.parse(text) as Record<string, Record<string, never>> & {
      databases: Record<string, { tables: { table: string }[] }>;
    };
    expect(bundle.environment).toMatchObject({ CONTEXT_SECRET: 'set', SMTP_URL: 'set', PUBLIC_URL: 'https://help.tandem.test' });
    expect(bundle.environment).not.toHaveProperty('UNKNOWN_VARIABLE');
    expect(bundle.doctor).toContainEqual(expect.objectContaining({ check: 'outgoing email', status: 'error' }));
    expect(bundle.databases.tickets!.tables.map(({ table }) => table)).toContain('comments');
    expect(bundle.check).toHaveProperty('pending');
    expect(bundle.durables).toBeDefined();
    expect(bundle.errors!['tickets.log']).toHaveLength(all.length + 1);
    expect(text).toContain('the error to find');
    expect(text).not.toContain('no error');
  });

  it('contains the reason of a part that cannot be read', async () => {
    const file = join(folder, 'without-servers.json');
    process.env.PG_ADMIN_URL = 'postgres://postgres:some-password@127.0.0.1:1/postgres';
    process.env.NATS_URL = 'nats://127.0.0.1:1';
    expect(await supportBundle.run([file])).toBe(0);
    const bundle = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(bundle).toMatchObject({
      check: { unavailable: expect.stringContaining('ECONNREFUSED') as string },
      durables: { unavailable: 'NATS does not respond' },
    });
  });

  it('overwrites no file', async () => {
    const file = join(folder, 'existing');
    writeFileSync(file, 'mine');
    await expect(supportBundle.run([file])).rejects.toThrow('exists: choose a new file');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
