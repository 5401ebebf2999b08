import { anyOf, executePrepared } from '@tandem/db';
import { sql } from 'kysely';
import type { AnalyticsTx, SurveyColumns, TicketColumns, TicketMomentRow } from '../schema';

export type Fact = TicketColumns & SurveyColumns;

const columnsOf = (row: object) => sql.join(Object.keys(row).map((column) => sql.ref(column)));
/** Rows as one parameter: a statement has at most 65,535. */
const rowsOf = (table: 'ticket_facts' | 'ticket_moments', rows: readonly object[]) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;

/** Inserts the facts of tickets that have none, and returns these tickets. Sorted in the order in which all code locks these rows, so that it cannot deadlock. */
export async function insertFacts(tx: AnalyticsTx, facts: readonly Fact[]): Promise<string[]> {
  const columns = columnsOf(facts[0]!);
  const statement = sql<{ ticket_id: string }>`
    insert into ticket_facts (${columns}) select ${columns} from ${rowsOf('ticket_facts', facts)} order by ticket_id
    on conflict (organization_id, ticket_id) do nothing returning ticket_id`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  return rows.map(({ ticket_id }) => ticket_id);
}

export async function findFactsForUpdate(tx: AnalyticsTx, ids: readonly string[]): Promise<Fact[]> {
  if (ids.length === 0) return [];
  const query = tx.selectFrom('ticket_facts').selectAll().where('ticket_id', '=', anyOf('uuid', ids)).orderBy('ticket_id').forUpdate();
  return (await executePrepared(tx, query.compile())).rows;
}

export async function updateFacts(tx: AnalyticsTx, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  const columns = columnsOf(facts[0]!);
  const values = sql.join(Object.keys(facts[0]!).map((column) => sql.ref(`n.${column}`)));
  const statement = sql`
    update ticket_facts f set (${columns}) = (select ${values}) from ${rowsOf('ticket_facts', facts)} n
    where f.organization_id = n.organization_id and f.ticket_id = n.ticket_id`;
  await executePrepared(tx, statement.compile(tx));
}

/** Deletes and returns the surveys that arrived before the first event of these tickets. */
export async function takeEarlySurveys(tx: AnalyticsTx, ids: readonly string[]): Promise<(SurveyColumns & { ticket_id: string })[]> {
  const statement = sql<SurveyColumns & { ticket_id: string }>`
    delete from early_surveys where ticket_id = ${anyOf('uuid', ids)} returning ticket_id, survey_sent_at, rating, feedback, rated_at`;
  return (await executePrepared(tx, statement.compile(tx))).rows;
}

const momentColumns = ['organization_id', 'ticket_id', 'at', 'kind', 'day'] as const satisfies (keyof TicketMomentRow)[];

export async function findMoments(tx: AnalyticsTx, ids: readonly string[]): Promise<TicketMomentRow[]> {
  const query = tx.selectFrom('ticket_moments').select(momentColumns).where('ticket_id', '=', anyOf('uuid', ids));
  return (await executePrepared(tx, query.compile())).rows;
}

export async function insertMomentRows(tx: AnalyticsTx, moments: readonly TicketMomentRow[]): Promise<void> {
  if (moments.length === 0) return;
  const columns = columnsOf(moments[0]!);
  await sql`
    insert into ticket_moments (${columns}) select ${columns} from ${rowsOf('ticket_moments', moments)} on conflict do nothing`.execute(tx);
}

export async function deleteMoments(tx: AnalyticsTx, moments: readonly TicketMomentRow[]): Promise<void> {
  if (moments.length === 0) return;
  await sql`
    delete from ticket_moments m using ${rowsOf('ticket_moments', moments)} n
    where m.organization_id = n.organization_id and m.ticket_id = n.ticket_id and m.at = n.at and m.kind = n.kind`.execute(tx);
}
