import { totalCap } from '@tandem/contracts';
import { sql } from 'kysely';
import { addNote, notesDatabase, organization, type NotesTables } from '../test/notes';
import { decodeCursor, encodeCursor, newId, paginate, type Database, type PageOptions } from './index';

let db: Database<NotesTables>;
beforeAll(async () => ({ db } = await notesDatabase()));
afterAll(() => db?.close());

type Ctx = ReturnType<typeof organization>;
const page = (ctx: Ctx, options: Partial<PageOptions> = {}) =>
  db.forTenant(ctx, (tx) => paginate(tx, tx.selectFrom('notes').select(['id', 'body']), { limit: 3, ...options }));

async function rowsOfOneMillisecond(ctx: Ctx, count: number) {
  // All in one millisecond, a microsecond apart: a cursor with millisecond precision would skip rows.
  await db.forTenant(ctx, (tx) =>
    sql`insert into notes (id, organization_id, body, created_at)
        select gen_random_uuid(), ${ctx.organization_id}, i::text, timestamptz '2026-01-01 00:00:00.000Z' + i * interval '1 microsecond' from generate_series(1, ${sql.lit(count)}) i`.execute(
      tx,
    ),
  );
  return ctx;
}

describe('paginate', () => {
  it('shows every row once by cursor, newest first, including rows of the same millisecond', async () => {
    const ctx = await rowsOfOneMillisecond(organization(), 8);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, pagination } = await page(ctx, { cursor });
      seen.push(...items.map((note) => note.body));
      expect(pagination).toMatchObject({ total: 8, limit: 3, page: cursor === undefined ? 1 : null });
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['8', '7', '6', '5', '4', '3', '2', '1']);
  });

  it('neither repeats nor skips when rows are added and removed between two pages', async () => {
    const ctx = await rowsOfOneMillisecond(organization(), 6);
    const first = await page(ctx);
    await db.forTenant(ctx, (tx) => addNote(tx, ctx.organization_id, 'newer'));
    await db.forTenant(ctx, (tx) => tx.deleteFrom('notes').where('body', '=', '4').execute());
    const second = await page(ctx, { cursor: first.pagination.next_cursor! });
    expect(second.items.map((note) => note.body)).toEqual(['3', '2', '1']);
  });

  it('supports page numbers, other orders and a selection of columns', async () => {
    const ctx = await rowsOfOneMillisecond(organization(), 5);
    const second = await page(ctx, { page: 2 });
    expect(second.items).toEqual(['2', '1'].map((body) => ({ id: expect.any(String), body })));
    expect(second.pagination).toEqual({ page: 2, limit: 3, total: 5, next_cursor: null });
    const ascending = await page(ctx, { orderBy: ['body', 'id'], direction: 'asc' });
    expect(ascending.items.map((note) => note.body)).toEqual(['1', '2', '3']);
    const rest = await page(ctx, { orderBy: ['body', 'id'], direction: 'asc', cursor: ascending.pagination.next_cursor! });
    expect(rest.items.map((note) => note.body)).toEqual(['4', '5']);
    expect((await page(ctx, { page: 9 })).items).toEqual([]);
  });

  it('counts up to the cap, and limits page numbers', async () => {
    const ctx = await rowsOfOneMillisecond(organization(), totalCap + 1);
    expect((await page(ctx)).pagination).toMatchObject({ total: totalCap, total_is_capped: true });
    expect((await page(ctx, { limit: 100, page: 100 })).items).toHaveLength(100);
    await expect(page(ctx, { limit: 100, page: 101 })).rejects.toMatchObject({ code: 'request.invalid', fields: [{ path: 'page' }] });
  });

  it('refuses a cursor that was tampered with as an invalid request', async () => {
    const ctx = organization();
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const wrong = [
      'x',
      '%%%',
      encode({}),
      encode(['2026-01-01']),
      encode(['2026-01-01', newId(), 1]),
      encode(['yesterday-ish', newId()]),
      encode(['2026-01-01', 'no id']),
      encode([null, null]),
      encode([['2026-01-01'], newId()]),
      encode([1e308, newId()]),
      encode(['2026-01-01\u0000', newId()]),
      encode(["2026-01-01'; drop table notes", newId()]),
    ];
    for (const cursor of wrong) {
      await expect(page(ctx, { cursor })).rejects.toMatchObject({ code: 'request.invalid', status: 422, fields: [{ path: 'cursor' }] });
    }
  });

  it('stays inside the organization with a cursor of another', async () => {
    const [a, b] = [await rowsOfOneMillisecond(organization(), 5), await rowsOfOneMillisecond(organization(), 2)];
    const { pagination } = await page(a, { limit: 1 });
    expect((await page(b, { cursor: pagination.next_cursor! })).pagination.total).toBe(2);
  });
});

describe('a cursor', () => {
  it('decodes what it encoded', () => {
    const values = ['2026-01-01 00:00:00.000001+00', 7, null, 'ü'];
    expect(decodeCursor(encodeCursor(values), 4)).toEqual(values);
  });
});
