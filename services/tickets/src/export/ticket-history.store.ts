import { TicketHistory } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

type Fields = keyof TicketHistory['ticket'];
const fields = (Object.keys(TicketHistory.shape.ticket.shape) as Fields[]).filter((field) => field !== 'custom_fields');

/** The history of each of these tickets. The caller has locked them, so that surveys wait as well: their rows refer to the ticket. */
export async function findHistories(tx: TicketsTx, ids: readonly string[]): Promise<TicketHistory[]> {
  const { rows } = await sql<TicketHistory['ticket'] & Omit<TicketHistory, 'ticket'>>`
    select ${sql.join(fields.map((field) => sql.ref(`t.${field}`)))}, ${countedValues} as custom_fields, coalesce(e.last, 0) as sequence, s.sent_at as survey_sent_at,
      case when a.ticket_id is not null then json_build_object('rating', a.rating, 'feedback', a.feedback, 'created_at', ${isoTime('a.created_at')})
        end as survey,
      (select coalesce(json_agg(json_build_object('kind', m.kind, 'at', ${isoTime('m.at')}) order by m.at), '[]')
        from open_periods p, lateral (
          select 'reopened' as kind, p.opened_at as at where p.is_reopened
          union all select 'resolved', p.resolved_at where p.resolved_at < 'infinity'
        ) m where p.organization_id = t.organization_id and p.ticket_id = t.id) as moments
    from tickets t
    left join event_sequences e on e.subject = t.id::text
    left join surveys a on a.organization_id = t.organization_id and a.ticket_id = t.id
    left join sent_surveys s on s.organization_id = t.organization_id and s.ticket_id = t.id
    where t.id = any(${ids}::uuid[]) order by t.id`.execute(tx);
  return rows.map(({ sequence, moments, survey, survey_sent_at, ...ticket }) => ({ ticket, sequence, moments, survey, survey_sent_at }));
}

/** Without texts, numbers and dates, which analytics does not count. */
const countedValues = sql`
  (select coalesce(jsonb_object_agg(v.key, v.value), '{}') from jsonb_each(t.custom_fields) v
    join custom_fields c on c.organization_id = t.organization_id and c.key = v.key where c.type in ('choice', 'choices', 'yes_no'))`;

/** A time inside JSON, in the usual format. */
const isoTime = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
