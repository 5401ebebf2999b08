import type { CountedTicket } from './counted-ticket';
import { BreakdownSum, countOtherTags, type DayBreakdown } from './day-breakdown';

const ofTickets = [['2', '10'], ['10', '2'], ['__proto__', 'a,b'], ['2', '__proto__', '10'], ['a,b', 'a,b'], ['2'], []];
const ticket: Omit<CountedTicket, 'tags'> = {
  status: 'open',
  priority: 'low',
  category: null,
  channel: null,
  assigned_to: null,
  created_hour: 0,
  first_response: null,
  resolution: null,
  rating: null,
  is_breached: false,
  is_escalated: false,
  is_surveyed: false,
  is_reopened: false,
  has_one_reply: false,
};

it.each([[[]], [['2']], [['2', '10']], [['__proto__']], [['a,b', '10']], [['2', '10', '__proto__', 'a,b']]])(
  'a ticket with tags other than %j counts once',
  (listed) => {
    const sum = new BreakdownSum();
    for (const tags of ofTickets) sum.addTicket({ ...ticket, tags });
    const stored = JSON.parse(JSON.stringify(sum.stored())) as DayBreakdown;
    const expected = ofTickets.filter((tags) => tags.some((tag) => !listed.includes(tag))).length;
    expect(countOtherTags(stored, new Set(listed))).toBe(expected);
  },
);
