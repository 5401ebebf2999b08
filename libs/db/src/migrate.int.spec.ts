import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, onTestFileEnd, testServers } from '@tandem/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, provision } from './index';

const passwords = { owner: 'owner-of-tests', service: 'service-of-tests' };

/** An empty database, created by `provision`. Its name prefix puts it among the databases that are dropped after the run. */
async function emptyDatabase() {
  const { pgAdminUrl, run } = testServers();
  return provision(pgAdminUrl, 'tickets', passwords, { database: `tandem_test_${run}_${randomBytes(4).toString('hex')} "x'` });
}

async function folderOf(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-migrations-'));
  onTestFileEnd(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'repeatable'));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return { folder, write };
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

const one = { '0001_a.sql': 'create table a (id int)' };
/** The platform's own migrations, which come first. */
const platform = readdirSync(join(__dirname, '..', 'migrations')).sort();

describe('migrate', () => {
  it('applies new files once, in order, the platform first', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ '0002_b.sql': 'alter table a add column b int', ...one });
    expect(await migrate({ url: ownerUrl, folder })).toEqual([...platform, '0001_a.sql', '0002_b.sql']);
    expect(await migrate({ url: ownerUrl, folder })).toEqual([]);
    await write('0003_c.sql', 'alter table a add column c int');
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['0003_c.sql']);
  });

  it('applies each file once when several migrate at the same time', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder } = await folderOf({ ...one, '0002_b.sql': 'select pg_sleep(0.1); create table b (id int)' });
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate({ url: ownerUrl, folder })));
    expect(applied.flat().sort()).toEqual([...platform, '0001_a.sql', '0002_b.sql'].sort());
  });

  it('refuses to run, and applies nothing, if an applied file has changed', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf(one);
    await migrate({ url: ownerUrl, folder });
    await write('0001_a.sql', 'create table a (id bigint)');
    await write('0002_b.sql', 'create table b (id int)');
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('0001_a.sql was changed');
    expect(await query(ownerUrl, `select to_regclass('b') as b`)).toEqual([{ b: null }]);
  });

  it('ignores different line endings', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ '0001_a.sql': 'create table a (\n  id int\n)' });
    await migrate({ url: ownerUrl, folder });
    await write('0001_a.sql', 'create table a (\r\n  id int\r\n)');
    expect(await migrate({ url: ownerUrl, folder })).toEqual([]);
  });

  it('applies only the given migrations, and none of a newer version', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder } = await folderOf({ ...one, '0002_b.sql': 'create table b (id int)' });
    const earlier = await emptyDatabase();
    await migrate({ url: earlier.ownerUrl, folder: (await folderOf(one)).folder });
    type Applied = { source: 'platform' | 'service'; name: string; checksum: string };
    const only = (await query(earlier.ownerUrl, 'select source, name, checksum from schema_migrations')) as unknown as Applied[];
    expect(await migrate({ url: ownerUrl, folder, only })).toEqual([...platform, '0001_a.sql']);
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['0002_b.sql']);
    const newer = [...only, { source: 'service' as const, name: '0003_c.sql', checksum: 'c' }];
    await expect(migrate({ url: ownerUrl, folder, only: newer })).rejects.toThrow('0003_c.sql of a newer version');
    const changed = only.map((each) => ({ ...each, checksum: 'other' }));
    await expect(migrate({ url: ownerUrl, folder, only: changed })).rejects.toThrow('is of an incompatible version');
  });

  it('refuses a new file that sorts before an applied one', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ '0002_b.sql': 'create table b (id int)' });
    await migrate({ url: ownerUrl, folder });
    await write('0001_a.sql', 'create table a (id int)');
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('sorts before 0002_b.sql');
  });

  it('rolls back a file that fails but not those before it, and continues once it is fixed', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ ...one, '0002_b.sql': 'create table b (id int); select 1 / 0' });
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('0002_b.sql failed: division by zero');
    expect(await query(ownerUrl, `select to_regclass('a')::text as a, to_regclass('b')::text as b`)).toEqual([{ a: 'a', b: null }]);
    await write('0002_b.sql', 'create table b (id int)');
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['0002_b.sql']);
  });

  it('refuses a file that ends its transaction, a name without a number, and a number that is used twice', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder } = await folderOf({ '0001_a.sql': 'create table a (id int); commit' });
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('must not end the transaction');
    const unnumbered = await folderOf({ 'a.sql': 'create table a (id int)' });
    await expect(migrate({ url: ownerUrl, folder: unnumbered.folder })).rejects.toThrow('name it like 0001_tickets.sql');
    const ambiguous = await folderOf({ ...one, '0001_b.sql': 'create table b (id int)' });
    await expect(migrate({ url: ownerUrl, folder: ambiguous.folder })).rejects.toThrow('0001_a.sql has the same number');
  });

  it('refuses a database in which another file has the number, and refers to the changelog', async () => {
    const { ownerUrl } = await emptyDatabase();
    const older = await folderOf(one);
    await migrate({ url: ownerUrl, folder: older.folder });
    const newer = await folderOf({ '0001_baseline.sql': 'create table b (id int)' });
    await expect(migrate({ url: ownerUrl, folder: newer.folder })).rejects.toThrow(
      'The database has the migration 0001_a.sql where this version has 0001_baseline.sql: it was created by an incompatible version (see CHANGELOG.md)',
    );
    expect(await query(ownerUrl, `select to_regclass('b') as b`)).toEqual([{ b: null }]);
  });

  it('builds an index of an online file while the table is written and another migrator waits', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ '0001_a.sql': 'create table a (id int); insert into a select generate_series(1, 1000)' });
    await migrate({ url: ownerUrl, folder });
    await write('0002_online.sql', '-- online\ncreate index concurrently if not exists a_id on a (id);\n');
    const writer = new pg.Client({ connectionString: ownerUrl });
    await writer.connect();
    try {
      await writer.query('begin; insert into a values (1001)');
      const migrating = [migrate({ url: ownerUrl, folder }), migrate({ url: ownerUrl, folder })];
      // The index waits for the open transaction; it does not keep the table from being written.
      await eventually(async () => {
        const waiting = `select 1 from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'`;
        expect((await query(ownerUrl, waiting)).length).toBe(1);
      });
      await query(ownerUrl, 'insert into a values (1002)');
      await writer.query('commit');
      expect((await Promise.all(migrating)).flat()).toEqual(['0002_online.sql']);
    } finally {
      await writer.end();
    }
    expect(await query(ownerUrl, `select indisvalid from pg_index where indexrelid = 'a_id'::regclass`)).toEqual([{ indisvalid: true }]);
  });

  it('completes an online file that was interrupted, and builds its index again', async () => {
    const { ownerUrl } = await emptyDatabase();
    const online = `-- online
      create index concurrently if not exists a_first on a (id);
      create unique index concurrently if not exists a_id on a (id);`;
    const { folder } = await folderOf({
      '0001_a.sql': 'create table a (id int); insert into a values (1), (1)',
      '0002_online.sql': online,
    });
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('0002_online.sql failed: could not create unique index');
    const valid = `select indexrelid::regclass::text as name from pg_index where indisvalid and indrelid = 'a'::regclass order by 1`;
    expect(await query(ownerUrl, valid)).toEqual([{ name: 'a_first' }]);
    await query(ownerUrl, 'delete from a where ctid = (select min(ctid) from a)');
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['0002_online.sql']);
    expect(await query(ownerUrl, valid)).toEqual([{ name: 'a_first' }, { name: 'a_id' }]);
  });

  it('does not drop an invalid index of an operator', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ '0001_a.sql': 'create table a (id int); insert into a values (1), (1)' });
    await migrate({ url: ownerUrl, folder });
    await expect(query(ownerUrl, 'create unique index concurrently own on a (id)')).rejects.toThrow('could not create unique index');
    await write('0002_online.sql', '-- online\ncreate index concurrently if not exists a_id on a (id);\n');
    await migrate({ url: ownerUrl, folder });
    expect(
      await query(ownerUrl, `select indexrelid::regclass::text as name from pg_index where indrelid = 'a'::regclass order by 1`),
    ).toEqual([{ name: 'a_id' }, { name: 'own' }]);
  });

  it('ignores applied files that this release does not know', async () => {
    const { ownerUrl } = await emptyDatabase();
    const newer = await folderOf({ ...one, '0002_b.sql': 'create table b (id int)' });
    const older = await folderOf(one);
    await migrate({ url: ownerUrl, folder: newer.folder });
    expect(await migrate({ url: ownerUrl, folder: older.folder })).toEqual([]);
  });
});

describe('repeatable migrations', () => {
  const answer = (value: number) => `create or replace function answer() returns int language sql as 'select ${value}'`;
  const currentAnswer = (url: string) => query(url, 'select answer()').then((rows) => rows[0]?.answer);

  it('are applied after the numbered ones, in the order of their names, and again only when their text has changed', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ ...one, 'repeatable/b.sql': answer(2), 'repeatable/a.sql': answer(1) });
    expect(await migrate({ url: ownerUrl, folder })).toEqual([...platform, '0001_a.sql', 'repeatable/a.sql', 'repeatable/b.sql']);
    expect(await currentAnswer(ownerUrl)).toBe(2);
    expect(await migrate({ url: ownerUrl, folder })).toEqual([]);
    await write('repeatable/b.sql', answer(3));
    await write('0002_b.sql', 'create table b (id int)');
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['0002_b.sql', 'repeatable/b.sql']);
    expect(await currentAnswer(ownerUrl)).toBe(3);
    expect(await migrate({ url: ownerUrl, folder })).toEqual([]);
    // Back to a text that was applied before: what counts is the text applied last.
    await write('repeatable/b.sql', answer(2));
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['repeatable/b.sql']);
    expect(await currentAnswer(ownerUrl)).toBe(2);
  });

  it('are applied once when several processes migrate at the same time', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ ...one, 'repeatable/a.sql': answer(1) });
    await migrate({ url: ownerUrl, folder });
    await write('repeatable/a.sql', `insert into a values (1); select pg_sleep(0.1); ${answer(2)}`);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate({ url: ownerUrl, folder })));
    expect(applied.flat()).toEqual(['repeatable/a.sql']);
    expect(await query(ownerUrl, 'select * from a')).toEqual([{ id: 1 }]);
  });

  it('leave the previous function in place when they fail, and are applied once they are fixed', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ ...one, 'repeatable/a.sql': answer(1) });
    await migrate({ url: ownerUrl, folder });
    await write('repeatable/a.sql', `${answer(2)}; select 1 / 0`);
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('a.sql failed: division by zero');
      expect(await currentAnswer(ownerUrl)).toBe(1);
    }
    await write('repeatable/a.sql', answer(3));
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['repeatable/a.sql']);
    expect(await currentAnswer(ownerUrl)).toBe(3);
  });

  it('must drop the previous function when its signature changes', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder, write } = await folderOf({ ...one, 'repeatable/a.sql': answer(1) });
    await migrate({ url: ownerUrl, folder });
    const doubled = `create or replace function answer(x int) returns int language sql as 'select 2 * x'`;
    await write('repeatable/a.sql', doubled);
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('function answer has several signatures: drop the previous one');
    expect(await currentAnswer(ownerUrl)).toBe(1);
    await write('repeatable/a.sql', `drop function if exists answer(); ${doubled}`);
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['repeatable/a.sql']);
    expect(await query(ownerUrl, 'select answer(4)')).toEqual([{ answer: 8 }]);
  });

  it('lock one table each: two would deadlock with a transaction that writes to both in the other order', async () => {
    const { ownerUrl } = await emptyDatabase();
    const trigger = (table: string) => `
      create or replace trigger t after insert on ${table} for each row execute function suppress_redundant_updates_trigger();`;
    const { folder, write } = await folderOf({
      '0001_a.sql': 'create table a (id int); create table b (id int)',
      'repeatable/a.sql': trigger('a') + trigger('b'),
    });
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('a.sql failed: it locks a and b: use one file for each table');
    await write('repeatable/a.sql', trigger('a'));
    await write('repeatable/b.sql', trigger('b'));
    expect(await migrate({ url: ownerUrl, folder })).toEqual(['repeatable/a.sql', 'repeatable/b.sql']);
  });

  it('have names in lower case without spaces', async () => {
    const { ownerUrl } = await emptyDatabase();
    const { folder } = await folderOf({ ...one, 'repeatable/A b.sql': answer(1) });
    await expect(migrate({ url: ownerUrl, folder })).rejects.toThrow('name it like ticket_search.sql');
  });
});

describe('provision', () => {
  it('can be repeated, even concurrently, and grants the login access to tables created before and after', async () => {
    const { pgAdminUrl, run } = testServers();
    const database = `tandem_test_${run}_${randomBytes(4).toString('hex')}`;
    const [first, second] = await Promise.all([1, 2].map(() => provision(pgAdminUrl, 'tickets', passwords, { database })));
    expect(second).toEqual(first);
    const { url, ownerUrl } = first!;
    await query(ownerUrl, 'create table a (id int generated always as identity, x int)');
    await provision(pgAdminUrl, 'tickets', passwords, { database });
    await query(url, 'insert into a (x) values (1)');
    expect(await query(url, 'select * from a')).toEqual([{ id: 1, x: 1 }]);
    await expect(query(url, 'create table b (id int)')).rejects.toThrow('permission denied');
    await expect(query(url, 'truncate a')).rejects.toThrow('permission denied');
    const roles = await query(
      url,
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname in ('tandem_tickets', 'tandem_tickets_owner')`,
    );
    expect(roles).toEqual([1, 2].map(() => ({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false })));
  });

  it('denies access to the logins of other services', async () => {
    const { pgAdminUrl, run } = testServers();
    const database = `tandem_test_${run}_${randomBytes(4).toString('hex')}`;
    await provision(pgAdminUrl, 'tickets', passwords, { database });
    const other = await provision(pgAdminUrl, 'analytics', passwords, { database: `${database}_other` });
    const url = new URL(other.url);
    url.pathname = `/${database}`;
    await expect(query(url.href, 'select 1')).rejects.toThrow('permission denied for database');
  });
});
