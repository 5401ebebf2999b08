import { expectTenantIsolation, eventually, startFlakyProxy, testServers } from '@tandem/testing';
import { sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { addNote, bodies, notesDatabase, organization, type NotesTables } from '../test/notes';
import {
  afterCommit,
  afterRollback,
  beforeCommit,
  Database,
  DatabaseUnavailable,
  fixedQuery,
  ignoreWritesSoFar,
  newId,
  indexesWithLeakyOperators,
  unprotectedTables,
  withNext,
  type Tx,
} from './index';

let notes: Awaited<ReturnType<typeof notesDatabase>>;
beforeAll(async () => (notes = await notesDatabase()));
afterAll(() => notes?.db.close());

describe('a transaction for an organization', () => {
  it('sees and writes rows of its own organization only', async () => {
    const [a, b] = [organization(), organization()];
    const id = await notes.db.forTenant(a, (tx) => addNote(tx, a.organization_id, 'of a'));
    await notes.db.forTenant(b, (tx) => addNote(tx, b.organization_id, 'of b'));
    expect(await notes.db.forTenant(a, bodies)).toEqual(['of a']);
    expect(await notes.db.forTenant(b, bodies)).toEqual(['of b']);
    await notes.db.forTenant(b, async (tx) => {
      expect((await tx.updateTable('notes').set({ body: 'taken' }).where('id', '=', id).executeTakeFirst()).numUpdatedRows).toBe(0n);
      expect((await tx.deleteFrom('notes').where('id', '=', id).executeTakeFirst()).numDeletedRows).toBe(0n);
    });
    await expect(notes.db.forTenant(a, (tx) => addNote(tx, b.organization_id))).rejects.toThrow(/row-level security/);
    await expect(
      notes.db.forTenant(a, (tx) => tx.updateTable('notes').set({ organization_id: b.organization_id }).execute()),
    ).rejects.toThrow(/row-level security/);
    await expectTenantIsolation(notes);
  });

  it('leaves no state on the connection for the next one', async () => {
    const a = organization();
    const db = new Database<{ notes: { id: string } }>({ url: notes.url, max: 1 });
    const settings = () =>
      db.asSystem('look at the connection', async (tx) => {
        const { rows } = await sql<{ organization: string; pid: number; count: number }>`
          select coalesce(current_setting('app.organization_id', true), '') as organization, pg_backend_pid() as pid, (select count(*) from notes) as count`.execute(
          tx,
        );
        return rows[0];
      });
    try {
      const { pid } = (await db.forTenant(
        a,
        async (tx) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows[0],
      ))!;
      expect(await settings()).toEqual({ organization: '', pid, count: 0 });
      await expect(db.forTenant(a, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      expect(await settings()).toEqual({ organization: '', pid, count: 0 });
    } finally {
      await db.close();
    }
  });

  it('fails once if the statements of its connection are gone, and uses another connection then', async () => {
    const db = new Database<NotesTables>({ url: notes.url, max: 1 });
    try {
      await db.asSystem('lose the prepared statements', (tx) => sql`deallocate all`.execute(tx));
      await expect(db.forTenant(organization(), bodies)).rejects.toMatchObject({ code: '26000' });
      expect(await db.forTenant(organization(), bodies)).toEqual([]);
    } finally {
      await db.close();
    }
  });

  it('refuses a context without an organization, and one that is no UUID before it reaches SQL', async () => {
    const work = jest.fn();
    await expect(notes.db.forTenant({ organization_id: null }, work)).rejects.toMatchObject({ code: 'organization.required' });
    await expect(notes.db.forTenant({ organization_id: `${newId()}', true); drop table notes; --` }, work)).rejects.toThrow('not a UUID');
    await expect(notes.db.forTenant({ organization_id: [newId()] as never }, work)).rejects.toThrow('not a UUID');
    expect(work).not.toHaveBeenCalled();
  });

  it('rolls back when the work throws, and when a failed statement was swallowed', async () => {
    const a = organization();
    const failing = notes.db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const swallowing = notes.db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('swallowed');
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
  });

  it('runs concurrent queries, and none after it has ended', async () => {
    const a = organization();
    const late = await notes.db.forTenant(a, async (tx) => {
      await Promise.all(['1', '2', '3'].map((body) => addNote(tx, a.organization_id, body)));
      expect(await bodies(tx)).toHaveLength(3);
      return () => bodies(tx);
    });
    await expect(late()).rejects.toThrow('has ended');
  });

  it('rejects the concurrent queries behind one that fails, and rolls back', async () => {
    const a = organization();
    const outcomes = notes.db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id, 'before');
      const queries = [addNote(tx, a.organization_id, 'first'), sql`select 1 / 0`.execute(tx), addNote(tx, a.organization_id, 'behind')];
      const settled = await Promise.allSettled(queries);
      expect(settled.map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : 'done'))).toEqual([
        'done',
        '22012',
        '25P02',
      ]);
    });
    await expect(outcomes).rejects.toThrow('Rolled back');
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
  });

  it('fails with a value that cannot be sent, and the connection stays in use', async () => {
    const a = organization();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    await expect(notes.db.forTenant(a, (tx) => sql`select ${cyclic}`.execute(tx))).rejects.toThrow('circular');
    await notes.db.forTenant(a, (tx) => addNote(tx, a.organization_id, 'after'));
    expect(await notes.db.forTenant(a, bodies)).toEqual(['after']);
  });

  it('refuses a transaction within a transaction', async () => {
    await expect(notes.db.forTenant(organization(), (tx) => tx.transaction().execute(() => Promise.resolve()))).rejects.toThrow(
      'Nested transactions are not supported',
    );
  });
});

describe.each([false, true])('a read for an organization, prepared: %s', (isPrepared) => {
  const read = <T>(ctx: { organization_id: string | null }, work: (tx: Tx<NotesTables>) => Promise<T>, db = notes.db) =>
    db.readTenant(ctx, work, { isPrepared });
  const divide = (tx: Tx<NotesTables>, by: number) =>
    sql<{ quotient: number }>`select count(*) / ${by}::integer as quotient from notes`.execute(tx);

  it('sees rows of its own organization only, even while organizations alternate on few connections', async () => {
    const db = new Database<NotesTables>({ url: notes.url, max: 2 });
    try {
      const organizations = Array.from({ length: 10 }, () => organization());
      for (const each of organizations) await db.forTenant(each, (tx) => addNote(tx, each.organization_id, `of ${each.organization_id}`));
      const reads = Array.from({ length: 200 }, (_, n) => organizations[(n * 7) % organizations.length]!);
      await Promise.all(
        reads.map(async (each, n) => {
          if (n % 5 === 0) await expect(read(each, (tx) => divide(tx, 0), db)).rejects.toThrow('division by zero');
          const seen = await read(each, (tx) => Promise.all([bodies(tx), bodies(tx), divide(tx, 1)]), db);
          const own = [`of ${each.organization_id}`];
          expect([seen[0], seen[1], seen[2].rows]).toEqual([own, own, [{ quotient: 1 }]]);
        }),
      );
    } finally {
      await db.close();
    }
  });

  it('leaves no state on the connection, after a result and after errors', async () => {
    const a = organization();
    await notes.db.forTenant(a, (tx) => addNote(tx, a.organization_id));
    const db = new Database<NotesTables>({ url: notes.url, max: 1 });
    const settings = () =>
      db.asSystem('look at the connection', async (tx) => {
        const { rows } = await sql<{ organization: string; read_only: string; count: number }>`
          select coalesce(current_setting('app.organization_id', true), '') as organization,
            current_setting('transaction_read_only') as read_only, (select count(*) from notes) as count`.execute(tx);
        await tx
          .insertInto('people')
          .values({ id: newId(), email: `${newId()}@example.com` })
          .execute();
        return rows[0];
      });
    const clean = { organization: '', read_only: 'off', count: 0 };
    try {
      expect(await read(a, bodies, db)).toEqual(['a note']);
      expect(await settings()).toEqual(clean);
      await expect(read(a, (tx) => divide(tx, 0), db)).rejects.toThrow('division by zero');
      expect(await settings()).toEqual(clean);
      await expect(read(a, (tx) => sql`select nothing from nowhere`.execute(tx), db)).rejects.toThrow('does not exist');
      expect(await settings()).toEqual(clean);
      await expect(read(a, () => Promise.reject(new Error('no')), db)).rejects.toThrow('no');
      expect(await settings()).toEqual(clean);
      expect(await read(a, bodies, db)).toEqual(['a note']);
    } finally {
      await db.close();
    }
  });

  it('cannot write or lock', async () => {
    const a = organization();
    await notes.db.forTenant(a, (tx) => addNote(tx, a.organization_id));
    for (const write of [
      (tx: Tx<NotesTables>) => addNote(tx, a.organization_id),
      (tx: Tx<NotesTables>) => tx.deleteFrom('notes').execute(),
      (tx: Tx<NotesTables>) => tx.selectFrom('notes').select('id').forUpdate().execute(),
    ])
      await expect(read<unknown>(a, write)).rejects.toThrow('read-only transaction');
    expect(await read(a, bodies)).toEqual(['a note']);
  });

  it('returns the same values as a transaction, and errors with their codes', async () => {
    const a = organization();
    const values = (tx: Tx<NotesTables>) =>
      sql`select timestamptz '2026-03-01 12:00:00.123456+02' as at, count(*) as count, 1.5::numeric as ratio, null as nothing,
        ${['a', 'b']}::text[] as list, ${'ü'} as text from notes`.execute(tx);
    expect((await read(a, values)).rows).toEqual((await notes.db.forTenant(a, values)).rows);
    await expect(read(a, (tx) => divide(tx, 0))).rejects.toMatchObject({ code: '22012' });
    await expect(read(a, (tx) => sql`select ${'x'}::uuid`.execute(tx))).rejects.toMatchObject({ code: '22P02' });
    // A value that pg cannot send, before anything reaches the server.
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    await expect(read(a, (tx) => sql`select ${cyclic}`.execute(tx))).rejects.toThrow('circular');
    expect(await read(a, bodies)).toEqual([]);
  });

  it('runs concurrent queries in one transaction, each with its result, and rejects those behind one that fails', async () => {
    const a = organization();
    const numbered = (tx: Tx<NotesTables>, n: number) =>
      sql<{
        n: number;
        at: string;
      }>`select ${n}::integer as n, now()::text as at, current_setting('transaction_read_only') as mode`.execute(tx);
    const results = await read(a, (tx) => Promise.all([1, 2, 3].map((n) => numbered(tx, n))));
    expect(results.map(({ rows }) => rows[0]!.n)).toEqual([1, 2, 3]);
    expect(new Set(results.map(({ rows }) => rows[0]!.at)).size).toBe(1);
    const outcomes = await read(a, (tx) => Promise.allSettled([numbered(tx, 1), divide(tx, 0), numbered(tx, 3)]));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'rejected', reason: { code: '25P02' } },
    ]);
    expect(await read(a, async (tx) => [(await divide(tx, 1)).rows, await bodies(tx)])).toEqual([[{ quotient: 0 }], []]);
  });

  it('accepts no query after its work, and no context without an organization', async () => {
    const late = await read(organization(), (tx) => Promise.resolve(() => bodies(tx)));
    await expect(late()).rejects.toThrow('has ended');
    const work = jest.fn();
    await expect(read({ organization_id: null }, work)).rejects.toMatchObject({ code: 'organization.required' });
    await expect(read({ organization_id: 'x' }, work)).rejects.toThrow('not a UUID');
    expect(work).not.toHaveBeenCalled();
  });

  it('is canceled when it takes too long, with those behind it', async () => {
    const { db } = await notesDatabase({ statementTimeoutMs: 500, max: 1 });
    const slow = (tx: Tx<NotesTables>) => sql`select pg_sleep(30)`.execute(tx);
    await expect(read(organization(), (tx) => Promise.all([slow(tx), bodies(tx)]), db)).rejects.toThrow('statement timeout');
    expect(await read(organization(), bodies, db)).toEqual([]);
    await db.close();
  });

  it('is service.unavailable when the connection is lost, and the next read opens another one', async () => {
    const proxy = await startFlakyProxy(notes.url);
    const db = new Database<NotesTables>({ url: proxy.url, max: 2, onError: () => undefined });
    try {
      const a = organization();
      await db.forTenant(a, (tx) => addNote(tx, a.organization_id));
      for (const cutFirst of [false, true]) {
        const waiting = read(
          a,
          async (tx) => {
            if (cutFirst) proxy.cut();
            else setTimeout(proxy.cut, 50);
            return Promise.all([sql`select pg_sleep(10)`.execute(tx), bodies(tx)]);
          },
          db,
        );
        await expect(waiting).rejects.toBeInstanceOf(DatabaseUnavailable);
        await expect(read(a, bodies, db)).rejects.toBeInstanceOf(DatabaseUnavailable);
        proxy.restore();
        expect(await read(a, bodies, db)).toEqual(['a note']);
        expect(await db.forTenant(a, bodies)).toEqual(['a note']);
      }
    } finally {
      await db.close();
      await proxy.close();
    }
  });

  it('prepares a limited number of statements', async () => {
    const db = new Database<NotesTables>({ url: notes.url, max: 1 });
    try {
      const counted = await read(
        organization(),
        async (tx) => {
          for (let n = 0; n < 120; n++) await sql`select ${sql.raw(String(n))} as n`.execute(tx);
          return sql<{ count: number }>`select count(*) as count from pg_prepared_statements`.execute(tx);
        },
        db,
      );
      // A connection prepares the six statements with which transactions and reads begin and end.
      expect(counted.rows[0]!.count).toBe(isPrepared ? 50 : 6);
    } finally {
      await db.close();
    }
  });

  it('fails once if its connection has lost its prepared statements, and uses another connection then', async () => {
    const db = new Database<NotesTables>({ url: notes.url, max: 1 });
    try {
      await db.asSystem('lose the prepared statements', (tx) => sql`deallocate all`.execute(tx));
      await expect(read(organization(), bodies, db)).rejects.toMatchObject({ code: '26000' });
      expect(await read(organization(), bodies, db)).toEqual([]);
    } finally {
      await db.close();
    }
  });
});

describe('a server that refuses to write', () => {
  it('is service.unavailable with the reason if its disk is full, and the connection stays in use', async () => {
    const onFull = jest.fn();
    const db = new Database<NotesTables>({ url: notes.url, max: 1, onFull });
    const pid = () => db.asSystem('which connection', async (tx) => (await sql`select pg_backend_pid()`.execute(tx)).rows[0]);
    try {
      const before = await pid();
      const full = db.asSystem('fill the disk', (tx) =>
        sql`do $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`.execute(tx),
      );
      await expect(full).rejects.toMatchObject({ code: 'service.unavailable', detail: expect.stringContaining('no space left') as string });
      await expect(full).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(onFull).toHaveBeenCalledTimes(1);
      expect(await pid()).toEqual(before);
    } finally {
      await db.close();
    }
  });

  it('is service.unavailable if it is a standby, and the next transaction uses another connection', async () => {
    // A standby refuses the statement with the same code.
    const url = new URL(notes.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const db = new Database<NotesTables>({ url: url.href, max: 1 });
    const pid = () => db.asSystem('which connection', async (tx) => (await sql`select pg_backend_pid()`.execute(tx)).rows[0]);
    const a = organization();
    try {
      const before = await pid();
      await expect(db.forTenant(a, (tx) => addNote(tx, a.organization_id))).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(await pid()).not.toEqual(before);
    } finally {
      await db.close();
    }
  });
});

describe('without an organization', () => {
  it('sees no row of a tenant table unless its migration made it readable, and cannot write any', async () => {
    const a = organization();
    await notes.db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      await tx.insertInto('members').values({ id: newId(), organization_id: a.organization_id, email: 'ada@example.com' }).execute();
    });
    await notes.db.asSystem('test', async (tx) => {
      expect(await bodies(tx)).toEqual([]);
      expect(await tx.selectFrom('members').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
      expect((await tx.deleteFrom('members').executeTakeFirst()).numDeletedRows).toBe(0n);
      await tx.insertInto('people').values({ id: newId(), email: 'ada@example.com' }).execute();
    });
    const insert = notes.db.asSystem('test', (tx) =>
      tx.insertInto('members').values({ id: newId(), organization_id: a.organization_id, email: 'x' }).execute(),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
  });

  it('must give a reason, which cannot break out of its SQL comment', async () => {
    await expect(notes.db.asSystem(' ', async () => undefined)).rejects.toThrow('reason');
    expect(await notes.db.asSystem("*/; select 'x'", async () => 'fine')).toBe('fine');
  });

  it('sees no rows on a connection that bypasses this library', async () => {
    const a = organization();
    await notes.db.forTenant(a, (tx) => addNote(tx, a.organization_id));
    const client = new pg.Client({ connectionString: notes.url });
    await client.connect();
    try {
      expect((await client.query('select * from notes')).rows).toEqual([]);
      await expect(client.query('alter table notes disable row level security')).rejects.toThrow('must be owner');
      await expect(client.query('delete from schema_migrations')).rejects.toThrow('permission denied');
    } finally {
      await client.end();
    }
  });
});

describe('the connections of the pool', () => {
  it('have waiting callers only if all are in use', async () => {
    const db = new Database<NotesTables>({ url: notes.url, max: 1 });
    const read = () => db.asSystem('count the callers', (tx) => sql`select pg_sleep(0.1)`.execute(tx));
    await db.ping();
    const first = read();
    expect(db.connections).toMatchObject({ idle: 1, waiting: 0 });
    const second = read();
    await eventually(() => expect(db.connections).toMatchObject({ idle: 0, waiting: 1 }));
    await Promise.all([first, second]);
    await db.close();
  });
});

describe('a fixed query', () => {
  const build = jest.fn((tx: Tx<NotesTables>, body: string, limit: number) =>
    tx
      .selectFrom('notes')
      .select(['body', sql<string>`${body}::text`.as('wanted')])
      .where('body', '=', body)
      .limit(limit),
  );
  const query = fixedQuery(build);

  it('is compiled once, and runs with the values of each call, even concurrently', async () => {
    const organizations = [organization(), organization()];
    for (const a of organizations) {
      const found = (tx: Tx<NotesTables>) =>
        Promise.all(
          [
            ['x', 5],
            ['y', 5],
            ['x', 1],
            ['z', 5],
          ].map(async ([body, limit]) => (await tx.executeQuery(query(tx, body as string, limit as number))).rows.length),
        );
      await notes.db.forTenant(a, async (tx) => {
        for (const body of ['x', 'x', 'y']) await addNote(tx, a.organization_id, body);
        expect(await found(tx)).toEqual([2, 1, 1, 0]);
      });
      expect(await notes.db.readTenant(a, found, { isPrepared: true })).toEqual([2, 1, 1, 0]);
      expect((await notes.db.readTenant(a, (tx) => tx.executeQuery(query(tx, 'y', 9)))).rows).toEqual([{ body: 'y', wanted: 'y' }]);
    }
    expect(build).toHaveBeenCalledTimes(1);
  });
});

const insert = (ctx: { organization_id: string }, body: string) =>
  sql<{ body: string }>`insert into notes (id, organization_id, body) values (${newId()}, ${ctx.organization_id}, ${body}) returning body`;

describe('with the next statement', () => {
  it('runs statements in their order, before that statement, and before the commit if there is none', async () => {
    const a = organization();
    await notes.db.forTenant(a, async (tx) => {
      withNext(tx, insert(a, 'first').compile(tx));
      withNext(tx, insert(a, 'second').compile(tx));
      expect(await bodies(tx)).toEqual(['first', 'second']);
      withNext(tx, insert(a, 'last').compile(tx));
    });
    await notes.db.forTenant(a, async (tx) => withNext(tx, insert(a, 'only').compile(tx)));
    expect(await notes.db.forTenant(a, bodies)).toEqual(['first', 'second', 'last', 'only']);
  });

  it('rolls everything back if one fails, with its error, whichever statement it was sent with', async () => {
    const [a, b] = [organization(), organization()];
    const foreign = (tx: Tx<NotesTables>) => withNext(tx, insert(b, 'of another organization').compile(tx));
    const failures: ((tx: Tx<NotesTables>) => Promise<void> | void)[] = [
      foreign,
      (tx) => {
        foreign(tx);
        beforeCommit(tx, insert(a, 'with the commit'));
      },
      async (tx) => {
        foreign(tx);
        await addNote(tx, a.organization_id, 'next');
      },
      async (tx) => {
        foreign(tx);
        await bodies(tx).catch(() => undefined);
      },
    ];
    for (const fail of failures) {
      const failed = notes.db.forTenant(a, async (tx) => {
        await addNote(tx, a.organization_id, 'before');
        await fail(tx);
      });
      await expect(failed).rejects.toThrow(/row-level security/);
    }
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
  });

  it('is not sent if the work throws, even if it was the only one', async () => {
    const a = organization();
    const failed = notes.db.forTenant(a, async (tx) => {
      withNext(tx, insert(a, 'x').compile(tx));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
  });

  it('is refused after the transaction, and in a read', async () => {
    const a = organization();
    const tx = await notes.db.forTenant(a, async (tx) => tx);
    expect(() => withNext(tx, insert(a, 'late').compile(tx))).toThrow('open transaction');
    await expect(notes.db.readTenant(a, async (tx) => withNext(tx, insert(a, 'x').compile(tx)))).rejects.toThrow('open transaction');
  });
});

describe('with the commit', () => {
  it('runs statements in their order, after the work and before the commit', async () => {
    const a = organization();
    const order: unknown[] = [];
    await notes.db.forTenant(a, async (tx) => {
      beforeCommit(tx, insert(a, 'second'), {
        onRows: (rows) => {
          order.push(rows);
          afterCommit(tx, () => order.push('committed'));
        },
      });
      beforeCommit(tx, insert(a, 'third'), { onRows: (rows) => order.push(rows) });
      expect(await bodies(tx)).toEqual([]);
      await addNote(tx, a.organization_id, 'first');
    });
    expect(order).toEqual([[{ body: 'second' }], [{ body: 'third' }], 'committed']);
    expect((await notes.db.forTenant(a, bodies)).toSorted()).toEqual(['first', 'second', 'third']);
  });

  it('runs them even if there is no other query', async () => {
    const a = organization();
    await notes.db.forTenant(a, async (tx) => beforeCommit(tx, insert(a, 'only')));
    expect(await notes.db.forTenant(a, bodies)).toEqual(['only']);
  });

  it('rolls everything back if one of them fails, with its error', async () => {
    const [a, b] = [organization(), organization()];
    const failing = (statement: RawBuilder<unknown>) =>
      notes.db.forTenant(a, async (tx) => {
        afterCommit(tx, () => notes.reported.push('must not run'));
        await addNote(tx, a.organization_id);
        beforeCommit(tx, statement);
        beforeCommit(tx, insert(a, 'another'));
      });
    await expect(failing(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
    await expect(failing(insert(b, 'of another organization'))).rejects.toThrow(/row-level security/);
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
    expect(notes.reported).not.toContain('must not run');
  });

  it('runs none of them if the work throws', async () => {
    const a = organization();
    const failed = notes.db.forTenant(a, async (tx) => {
      beforeCommit(tx, insert(a, 'x'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await notes.db.forTenant(a, bodies)).toEqual([]);
  });

  it('is refused after the transaction, and in a read', async () => {
    const a = organization();
    const tx = await notes.db.forTenant(a, async (tx) => tx);
    expect(() => beforeCommit(tx, insert(a, 'late'))).toThrow('open transaction');
    await expect(notes.db.readTenant(a, async (tx) => beforeCommit(tx, insert(a, 'x')))).rejects.toThrow('open transaction');
  });
});

describe('after the commit', () => {
  it('runs registered work once after the commit, listeners first', async () => {
    const a = organization();
    const order: string[] = [];
    let ended: object | undefined;
    const stop = notes.db.onCommit((tx) => (order.push('listener'), (ended = tx)));
    const tx = await notes.db.forTenant(a, async (tx) => {
      afterCommit(tx, () => order.push('work'));
      await addNote(tx, a.organization_id);
      expect(order).toEqual([]);
      return tx;
    });
    stop();
    expect(ended).toBe(tx);
    await notes.db.forTenant(a, bodies);
    expect(order).toEqual(['listener', 'work']);
    expect(() => afterCommit(tx, () => undefined)).toThrow('open transaction');
  });

  it('runs work for a rollback only after one, and also if the commit fails', async () => {
    const a = organization();
    const undone: string[] = [];
    await notes.db.forTenant(a, async (tx) => {
      afterRollback(tx, () => undone.push('committed'));
      await addNote(tx, a.organization_id);
    });
    const thrown = notes.db.forTenant(a, async (tx) => {
      afterRollback(tx, () => undone.push('thrown'));
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    const refused = notes.db.forTenant(a, async (tx) => {
      afterRollback(tx, () => undone.push('refused'));
      beforeCommit(tx, sql`select 1 / 0`);
    });
    await expect(refused).rejects.toMatchObject({ code: '22012' });
    expect(undone).toEqual(['thrown', 'refused']);
  });

  it('runs nothing after a rollback', async () => {
    const work = jest.fn();
    const rolledBack = notes.db.forTenant(organization(), async (tx) => {
      afterCommit(tx, work);
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(work).not.toHaveBeenCalled();
  });

  it('reports work that throws, and still returns the result of the transaction', async () => {
    const others = jest.fn();
    const result = await notes.db.forTenant(organization(), async (tx) => {
      afterCommit(tx, () => {
        throw new Error('broken listener');
      });
      afterCommit(tx, others);
      return 'kept';
    });
    expect(result).toBe('kept');
    expect(others).toHaveBeenCalledTimes(1);
    expect(notes.reported).toContainEqual(expect.stringContaining('broken listener'));
  });
});

describe('after a write of an organization', () => {
  const written: string[] = [];
  let db: Database<NotesTables>;
  beforeAll(() => (db = new Database({ url: notes.url, max: 2, afterTenantWrite: async (id) => void written.push(id) })));
  beforeEach(() => void (written.length = 0));
  afterAll(() => db.close());

  it('is awaited once per transaction that has written or locked rows', async () => {
    const a = organization();
    await db.forTenant(a, (tx) => addNote(tx, a.organization_id, 'a note'));
    expect(written).toEqual([a.organization_id]);
    await db.forTenant(a, async (tx) => beforeCommit(tx, sql`update notes set body = 'another'`));
    await db.forTenant(a, (tx) => sql`with added as (delete from notes returning *) select count(*) from added`.execute(tx));
    await db.forTenant(a, async (tx) => withNext(tx, insert(a, 'with the commit').compile(tx)));
    expect(written).toEqual(Array(4).fill(a.organization_id));
  });

  it('is not called for reads, empty transactions, rollbacks and the system', async () => {
    const a = organization();
    expect(await db.forTenant(a, bodies)).toEqual([]);
    expect(await db.readTenant(a, bodies)).toEqual([]);
    await db.forTenant(a, async (tx) => expect((await tx.deleteFrom('notes').executeTakeFirst()).numDeletedRows).toBe(0n));
    await db.forTenant(a, async () => undefined);
    const failing = db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const swallowing = db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('swallowed');
    const failingBefore = db.forTenant(a, async (tx) => {
      beforeCommit(tx, sql`update notes set body = 'another'`);
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });
    await expect(failingBefore).rejects.toThrow();
    await db.asSystem('test', (tx) =>
      tx
        .insertInto('people')
        .values({ id: newId(), email: `${newId()}@example.com` })
        .execute(),
    );
    expect([written, await db.forTenant(a, bodies)]).toEqual([[], []]);
  });

  it('is not called for writes that are declared to change nothing visible, but for those after them', async () => {
    const a = organization();
    const ignoring = (more: (tx: Tx<NotesTables>) => Promise<unknown>) =>
      db.forTenant(a, async (tx) => {
        await addNote(tx, a.organization_id);
        ignoreWritesSoFar(tx);
        await more(tx);
      });
    await ignoring(async (tx) => beforeCommit(tx, sql`select pg_current_xact_id()`, { isVisible: false }));
    expect([written, await db.forTenant(a, bodies)]).toEqual([[], [expect.any(String)]]);
    await ignoring((tx) => addNote(tx, a.organization_id));
    await ignoring(async (tx) => beforeCommit(tx, sql`update notes set body = 'another'`));
    expect(written).toEqual([a.organization_id, a.organization_id]);
    const failing = ignoring(() => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(written).toHaveLength(2);
  });

  it('is called if the response to the commit was lost, before the caller gets the error', async () => {
    const a = organization();
    const lost = db.forTenant(a, async (tx) => {
      await addNote(tx, a.organization_id);
      // The commit is sent in the same packet.
      beforeCommit(tx, sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    const calls = lost.then(
      () => 'committed',
      () => [...written],
    );
    expect(await calls).toEqual([a.organization_id]);
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('values', () => {
  it('come out as ISO strings in UTC and as numbers', async () => {
    const read = () =>
      notes.db.asSystem('test', async (tx) => {
        const { rows } =
          await sql`select timestamptz '2026-03-01 12:00:00.123456+02' as at, timestamptz '1999-12-31 23:59:59+00' as whole, date '2026-03-01' as day,
          count(*) as count, 1.5::numeric as ratio from generate_series(1, 3)`.execute(tx);
        return rows[0];
      });
    const expected = { at: '2026-03-01T10:00:00.123Z', whole: '1999-12-31T23:59:59.000Z', day: '2026-03-01', count: 3, ratio: 1.5 };
    expect(await read()).toEqual(expected);
    const elsewhere = new Database({ url: `${notes.url}?options=-c%20timezone%3DAsia/Kolkata` });
    try {
      const { rows } = await elsewhere.asSystem('test', (tx) =>
        sql<{ at: string }>`select timestamptz '2026-03-01 12:00:00.123456+02' as at`.execute(tx),
      );
      expect(rows[0]?.at).toBe(expected.at);
    } finally {
      await elsewhere.close();
    }
  });
});

describe('when PostgreSQL is down', () => {
  it('throws service.unavailable with a time to retry if there is no server', async () => {
    const db = new Database({ url: 'postgres://nobody:secret@127.0.0.1:1/none' });
    await expect(db.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(db.forTenant(organization(), async () => undefined)).rejects.toMatchObject({
      code: 'service.unavailable',
      status: 503,
      retryAfterSeconds: 2,
    });
    await db.close();
  });

  it('reconnects after its connections are killed, idle or in use', async () => {
    const { db, reported, url } = await notesDatabase({ max: 2 });
    const admin = new pg.Client({ connectionString: testServers().pgAdminUrl });
    await admin.connect();
    const kill = () =>
      admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [new URL(url).pathname.slice(1)]);
    try {
      await db.ping();
      await kill();
      await eventually(() => reported.some((line) => line.includes('idle database connection')));
      await db.ping();
      const inUse = db.forTenant(organization(), async (tx) => {
        await kill();
        return bodies(tx);
      });
      await expect(inUse).rejects.toBeInstanceOf(DatabaseUnavailable);
      expect(await db.forTenant(organization(), bodies)).toEqual([]);
    } finally {
      await admin.end();
      await db.close();
    }
  });

  it('cancels a statement that takes too long', async () => {
    const { db } = await notesDatabase({ statementTimeoutMs: 500 });
    await expect(db.asSystem('test', (tx) => sql`select pg_sleep(30)`.execute(tx))).rejects.toThrow('statement timeout');
    await db.ping();
    await db.close();
  });
});

describe('the list of unprotected tables', () => {
  it('is empty for the platform and for tables that are isolated or declare why not', async () => {
    expect(await unprotectedTables(notes.ownerUrl)).toEqual([]);
  });

  it.each([
    ['no policy', 'create table leaks (organization_id uuid not null)'],
    ['a nullable organization', `create table leaks (organization_id uuid); select tenant_isolation('leaks')`],
    [
      'no force',
      `create table leaks (organization_id uuid not null); select tenant_isolation('leaks'); alter table leaks no force row level security`,
    ],
    [
      'a policy without a condition',
      `create table leaks (organization_id uuid not null); select tenant_isolation('leaks'); create policy all_of_it on leaks using (true)`,
    ],
    [
      'a policy of the same name',
      `create table leaks (organization_id uuid not null); alter table leaks enable row level security; alter table leaks force row level security; create policy tenant_isolation on leaks using (true)`,
    ],
    ["its owner's rights", 'create view leaks as select * from notes'],
    ['an excuse without a reason', `create table leaks (id int); comment on table leaks is 'tenancy: none'`],
  ])('names a table or view with %s', async (_, statements) => {
    const { db, ownerUrl } = await notesDatabase();
    const owner = new pg.Client({ connectionString: ownerUrl });
    await owner.connect();
    await owner.query(statements);
    await owner.end();
    expect(await unprotectedTables(ownerUrl)).toEqual(['leaks']);
    await db.close();
  });
});

it('the list of indexes with leaky operators names columns whose comparisons are not leakproof, on isolated tables only', async () => {
  const { db, ownerUrl } = await notesDatabase();
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`
    create table prices (organization_id uuid not null, name text, amount numeric, rounded double precision, more jsonb);
    create index prices_by_amount on prices (organization_id, amount);
    create index prices_by_rest on prices (organization_id, name, rounded) include (more);
    create table rates (rate numeric primary key)`);
  expect(await indexesWithLeakyOperators(ownerUrl)).toEqual([]);
  await owner.query(`select tenant_isolation('prices')`);
  await owner.end();
  expect(await indexesWithLeakyOperators(ownerUrl)).toEqual(['prices_by_amount.amount']);
  await db.close();
});
