import type { ChaosApp } from '../chaos-app.ts';
import { lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';

interface ImportState {
  id: string;
  state: string;
  kept_count: number | null;
  counts: Record<string, { found: number; created: number; failed: number } | undefined>;
  problems: Record<string, number>;
}

/** The tickets service is killed in the middle of an import, and in the middle of its undo. */
export function imports(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;
  let id: string;
  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 60_000);

  const tickets = 2_000;
  /** IDs that are numbers of no tickets. */
  const first = 500_000;
  const numbers = Array.from({ length: tickets }, (_, index) => first + index);
  const at = (n: number) => new Date(Date.UTC(2023, 0, 1) + (n - first) * 60_000).toISOString();
  const files = {
    'tickets.csv': [
      'id,subject,customer_email,created_at',
      ...numbers.map((n) => `${n},imported ${n},chaos-${n % 50}@example.com,${at(n)}`),
    ],
    'comments.csv': ['ticket_id,content,created_at', ...numbers.map((n) => `${n},Comment of ${n},${at(n + 5)}`)],
  };

  async function upload(name: string, text: string): Promise<void> {
    const announced = await app.mustCreate<{ upload_url: string }>(`/imports/${id}/files`, { file_name: name, size: text.length }, admin);
    const answer = await fetch(new URL(announced.upload_url, app.publicUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: text,
    });
    expect([name, answer.status]).toEqual([name, 200]);
  }
  const read = async (): Promise<ImportState> =>
    ((await (await fetch(`${app.api}/imports/${id}`, { headers: admin })).json()) as { data: ImportState }).data;
  const act = (action: string) => app.mustCreate(`/imports/${id}/${action}`, {}, admin);
  const untilState = (state: string) => untilPasses(async () => expect((await read()).state).toBe(state));
  const count = async (what: string): Promise<number> =>
    (await app.rows<{ n: number }>('tickets', `select count(*)::integer as n from ${what}`, []))[0]!.n;
  const created = "import_records where kind = 'ticket' and state = 'created'";

  it('killed in the middle of an import of 2,000 tickets: each is created once, with its comment', async () => {
    id = (await app.mustCreate<ImportState>('/imports', { source: 'csv' }, admin)).id;
    for (const [name, lines] of Object.entries(files)) await upload(name, `${lines.join('\n')}\n`);
    await act('check');
    await untilState('ready');
    expect((await read()).problems).toEqual({});
    await act('start');
    await untilPasses(async () => expect(await count(created)).toBeGreaterThan(0));
    // The batch of the last ticket waits, so that the import is not done when the process is killed.
    const unlock = await lockRows(app, `select from import_records where kind = 'ticket' and key = $1 for update`, [
      String(first + tickets - 1),
    ]);
    await untilStatementsWait(app, 1);
    expect(await count(created)).toBeLessThan(tickets);
    await app.killAndRestart('tickets', unlock);
    await untilState('done');

    const { counts, problems } = await read();
    expect([counts.ticket, counts.comment, problems]).toMatchObject([{ created: tickets, failed: 0 }, { created: tickets, failed: 0 }, {}]);
    const [found] = await app.rows<Record<string, number>>(
      'tickets',
      `select count(*)::integer as tickets, count(distinct subject)::integer as subjects, count(distinct ticket_number)::integer as numbers,
        sum(comment_count)::integer as counted,
        (select count(*)::integer from comments c join tickets o on o.id = c.ticket_id where c.content = 'Comment of ' || substr(o.subject, 10)) as comments
       from tickets where subject like 'imported %'`,
      [],
    );
    expect(found).toEqual({ tickets, subjects: tickets, numbers: tickets, counted: tickets, comments: tickets });
    await untilPasses(() => expectNoPendingWork(app));
    expect((await app.mails()).filter(({ to }) => to.some((address) => address.startsWith('chaos-')))).toEqual([]);
  }, 240_000);

  it('killed in the middle of the undo: all tickets are deleted, and no others', async () => {
    const others = (await count('tickets')) - tickets;
    const ids = (await app.rows<{ id: string }>('tickets', "select id from tickets where subject like 'imported %'", [])).map(
      (row) => row.id,
    );
    const unlock = await lockRows(app, `select from tickets where subject = $1 for update`, [`imported ${first + tickets - 1}`]);
    await act('undo');
    await untilStatementsWait(app, 1);
    expect(await count("tickets where subject like 'imported %'")).toBeGreaterThan(0);
    await app.killAndRestart('tickets', unlock);
    await untilState('undone');
    expect([await count("tickets where subject like 'imported %'"), await count('tickets'), (await read()).kept_count]).toEqual([
      0,
      others,
      0,
    ]);
    expect(await count("comments where content like 'Comment of %'")).toBe(0);
    await untilPasses(() => expectNoPendingWork(app));
    const known = () => app.rows('analytics', 'select from ticket_facts where ticket_id = any($1)', [ids]);
    await untilPasses(async () => expect(await known()).toEqual([]));
  }, 240_000);
}
