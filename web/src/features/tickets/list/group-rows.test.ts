import type { TicketSummary } from '@tandem/contracts';
import type { ListGroup } from '@tandem/contracts/values';
import { aMember, aTicket } from '../../../testing/backend';
import { groupRows } from './group-rows';

const now = new Date(2026, 10, 20, 12, 0).getTime();
const inDays = (days: number) => new Date(2026, 10, 20 + days, 15, 0).toISOString();
const row = (values: Partial<TicketSummary>) => aTicket(values) as unknown as TicketSummary;
const grouped = (tickets: TicketSummary[], by: ListGroup) => {
  const { tickets: rows, headings } = groupRows(tickets, by, now);
  return rows.map(({ id, subject }) => {
    const heading = headings.get(id);
    return heading ? `${heading.label} (${heading.count}): ${subject}` : subject;
  });
};

describe('the groups of the list', () => {
  it('are in the order of the statuses, with the list’s order in each', () => {
    const tickets = [
      row({ subject: 'A', status: 'resolved' }),
      row({ subject: 'B', status: 'open' }),
      row({ subject: 'C', status: 'waiting_for_customer' }),
      row({ subject: 'D', status: 'open' }),
    ];
    expect(grouped(tickets, 'status')).toEqual(['Open (2): B', 'D', 'Waiting for Customer (1): C', 'Resolved (1): A']);
  });
  it('begin with the highest priority', () => {
    const tickets = (['low', 'urgent', 'medium', 'urgent'] as const).map((priority, index) => row({ subject: String(index), priority }));
    expect(grouped(tickets, 'priority')).toEqual(['Urgent (2): 1', '3', 'Medium (1): 2', 'Low (1): 0']);
  });
  it('begin with unassigned tickets, and keep members of the same name apart', () => {
    const [one, other] = [aMember({ first_name: 'Ada', last_name: 'B' }), aMember({ first_name: 'Ada', last_name: 'B' })];
    const of = (member: typeof one, subject: string) => row({ subject, assigned_to: member.user_id, assignee: member });
    const tickets = [of(one, 'A'), of(other, 'B'), row({ subject: 'C', assigned_to: null, assignee: null }), of(one, 'D')];
    const rows = grouped(tickets, 'assignee');
    expect(rows[0]).toBe('Unassigned (1): C');
    expect(rows).toContain('Ada B (2): A');
    expect(rows).toContain('Ada B (1): B');
  });
  it('sort names with accents next to the same letters without them', () => {
    const tickets = ['Zoe', 'Émile', 'Ada'].map((first_name) => {
      const member = aMember({ first_name, last_name: 'B' });
      return row({ subject: first_name, assigned_to: member.user_id, assignee: member });
    });
    expect(grouped(tickets, 'assignee').map((text) => text.split(' ')[0])).toEqual(['Ada', 'Émile', 'Zoe']);
  });
  it('are overdue, days, paused and without a due date', () => {
    const tickets = [
      row({ subject: 'none', next_due_at: null }),
      row({ subject: 'resolved', next_due_at: inDays(1), status: 'resolved' }),
      row({ subject: 'paused', next_due_at: null, sla_paused_since: inDays(-1) }),
      row({ subject: 'later', next_due_at: inDays(3) }),
      row({ subject: 'today', next_due_at: inDays(0) }),
      row({ subject: 'late', next_due_at: inDays(-2) }),
      row({ subject: 'tomorrow', next_due_at: inDays(1) }),
    ];
    expect(grouped(tickets, 'due')).toEqual([
      'Overdue (1): late',
      'Today (1): today',
      'Tomorrow (1): tomorrow',
      'Monday, Nov 23 (1): later',
      'Paused (1): paused',
      'No due date (2): none',
      'resolved',
    ]);
  });
});
