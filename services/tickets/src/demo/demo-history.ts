import type { Survey, TicketChannel, TicketPriority, TicketStatus } from '@tandem/contracts';
import { addWorkingTime, nextWorkingTime, type Calendar } from '../sla/calendar';
import { demoCustomers, type DemoTicket } from './demo-tickets';

/** The events of a ticket after its creation, in order. */
export type PastStep = { at: string } & (
  | { kind: 'reply'; content: string; status: TicketStatus }
  | { kind: 'customer'; content: string; status: TicketStatus }
  | { kind: 'status'; status: TicketStatus }
  /** The timers are checked, as the sweep does. */
  | { kind: 'check' }
);

export interface PastTicket {
  created_at: string;
  customer: DemoTicket['customer'];
  channel: TicketChannel;
  priority: TicketPriority;
  category: string | null;
  tags: string[];
  subject: string;
  description: string;
  /** Index of the member who replies. */
  assignee: number;
  steps: PastStep[];
  survey: (Pick<Survey, 'rating' | 'feedback'> & { created_at: string }) | null;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const days = 90;
/** A faulty release: more tickets, slower replies, worse ratings. */
const badWeek = { from: 40, to: 34 };

/** Tickets on an average day of the week, Sunday first, and the share of each hour of a day (UTC). */
const perWeekday = [1, 11, 9, 8, 8, 7, 2];
const perHour = [1, 0, 0, 0, 1, 2, 6, 14, 18, 16, 12, 11, 14, 13, 10, 7, 4, 3, 3, 2, 2, 1, 1, 1];

const priorities: readonly (readonly [TicketPriority, number])[] = [['medium', 50], ['low', 20], ['high', 23], ['urgent', 7]]; // prettier-ignore
const channels: readonly (readonly [TicketChannel, number])[] = [['email', 50], ['portal', 25], ['widget', 18], ['staff', 7]]; // prettier-ignore

/** Three members who differ: one replies quickly but has to reply often, one is slow but thorough, and one only helps out. */
const staff = [
  { share: 12, responseHours: 1.6, workHours: 6, reopens: 0.05, rating: 4.3 },
  { share: 36, responseHours: 2.6, workHours: 9, reopens: 0.03, rating: 4.5 },
  { share: 52, responseHours: 0.6, workHours: 4, reopens: 0.13, rating: 3.8 },
] as const;

const topics: Record<string, { share: number; tags: readonly string[]; subjects: readonly string[] }> = {
  Billing: { share: 22, tags: ['invoice', 'refund'], subjects: ['Invoice shows the wrong amount', 'Please send the invoice again', 'Change of our billing address', 'Refund for a returned order', 'Card was declined'] }, // prettier-ignore
  Technical: { share: 34, tags: ['bug', 'sign-in', 'export'], subjects: ['Page stays blank after signing in', 'Export file is empty', 'Upload stops at half', 'Search finds nothing', 'Error when saving an order'] }, // prettier-ignore
  Shipping: { share: 20, tags: ['parcel'], subjects: ['Where is my parcel?', 'Parcel arrived damaged', 'One item is missing', 'Deliver to another address'] }, // prettier-ignore
  Account: { share: 13, tags: ['security'], subjects: ['Add a colleague to our account', 'Change of my email address', 'Reset of two-factor codes'] }, // prettier-ignore
  Question: { share: 11, tags: [], subjects: ['How do I change the language?', 'Do you offer a yearly plan?', 'Which file formats can I import?'] }, // prettier-ignore
};
const outage = {
  tags: ['outage'],
  subjects: ['Shop is very slow', 'Orders are not saved', 'Error 500 on every page', 'Nobody here can sign in'],
};

const praise = ['Quick and friendly.', 'Solved at once, thank you!', 'Very helpful.', 'Clear answer, no waiting.'];
const blame = [
  'It took far too long.',
  'I had to ask three times.',
  'The problem came back the next day.',
  'Nobody told me what happened.',
];

/** A deterministic sequence of numbers from 0 to 1 (mulberry32), so that every demo has the same history. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** About 600 tickets of the 90 days before `now`, oldest first; work on all of them has ended. Replies are written in business hours. */
export function pastTickets(calendar: Calendar | null, now: Date): PastTicket[] {
  const random = numbersFrom(7);
  const weighted = <T>(choices: readonly (readonly [T, number])[]): T => {
    let left = random() * choices.reduce((sum, [, share]) => sum + share, 0);
    return choices.find(([, share]) => (left -= share) < 0)![0];
  };
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  /** Most take less than the average, and a few much longer. */
  const around = (hours: number) => hours * hourMs * Math.exp(1.1 * (random() + random() + random() - 1.5)) * 0.8;
  const worked = (from: number, duration: number) => addWorkingTime(calendar, from, duration) ?? from + duration;
  const iso = (at: number) => new Date(at).toISOString();

  function aTicket(created: number, isBad: boolean): PastTicket {
    const name = weighted(Object.entries(topics).map(([key, { share }]) => [key, share] as const));
    const category = isBad && random() < 0.6 ? 'Technical' : name;
    const topic = isBad && category === 'Technical' ? outage : topics[category]!;
    const priority = isBad && random() < 0.4 ? 'high' : weighted(priorities);
    const assignee = weighted(staff.map(({ share }, index) => [index, share] as const));
    const member = staff[assignee]!;
    const slowness = (isBad ? 4 : 1) * (priority === 'urgent' ? 0.5 : 1);
    const steps: PastStep[] = [];
    const first = worked(nextWorkingTime(calendar, created) ?? created, around(member.responseHours * slowness));
    let at = first;
    if (random() < 0.04) {
      steps.push({ at: iso(at), kind: 'status', status: 'closed' });
    } else {
      const isOneTouch = random() < (assignee === 2 ? 0.55 : 0.35);
      if (!isOneTouch) {
        const asks = random() < 0.4;
        steps.push({ at: iso(at), kind: 'reply', content: asks ? 'Could you send us the order number?' : 'Thank you, we are looking into it.', status: asks ? 'waiting_for_customer' : 'in_progress' }); // prettier-ignore
        if (asks) {
          at += (2 + random() * 30) * hourMs;
          steps.push({ at: iso(at), kind: 'customer', content: 'Here it is: 20731.', status: 'open' });
        }
        at = worked(at, around(member.workHours * slowness));
      }
      steps.push({ at: iso(at), kind: 'reply', content: 'This is solved now. Is there anything else?', status: 'resolved' });
      if (random() < member.reopens * (isBad ? 2 : 1)) {
        at += (3 + random() * 40) * hourMs;
        steps.push({ at: iso(at), kind: 'customer', content: 'It happens again.', status: 'open' });
        at = worked(at, around(member.workHours));
        steps.push({ at: iso(at), kind: 'reply', content: 'We have found the reason. It cannot happen again.', status: 'resolved' });
      }
    }
    const rated = at + (1 + random() * 20) * hourMs;
    const rating = Math.max(1, Math.min(5, Math.round(member.rating - (isBad ? 1.8 : 0) + (random() + random() - 1) * 1.7)));
    const feedback = random() < 0.3 ? one(rating >= 4 ? praise : blame) : null;
    const isRated = steps.at(-1)!.kind === 'reply' && random() < 0.42;
    return {
      created_at: iso(created),
      customer: one(Object.keys(demoCustomers) as DemoTicket['customer'][]),
      channel: weighted(channels),
      priority,
      category: random() < 0.05 ? null : category,
      tags: topic.tags.length > 0 && random() < 0.6 ? [one(topic.tags)] : [],
      subject: one(topic.subjects),
      description: 'Please have a look. The details are in our account.',
      assignee,
      steps,
      survey: isRated ? { rating, feedback, created_at: iso(rated) } : null,
    };
  }

  const tickets: PastTicket[] = [];
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  for (let ago = days - 1; ago >= 1; ago -= 1) {
    const day = today - ago * dayMs;
    const isBad = ago <= badWeek.from && ago >= badWeek.to;
    const count = Math.round(perWeekday[new Date(day).getUTCDay()]! * (isBad ? 1.8 : 1) * (0.75 + random() * 0.5));
    for (let n = 0; n < count; n += 1) {
      const hour = weighted(perHour.map((share, index) => [index, share] as const));
      tickets.push(aTicket(day + hour * hourMs + Math.floor(random() * hourMs), isBad));
    }
  }
  const isOver = ({ steps, survey }: PastTicket) => (survey?.created_at ?? steps.at(-1)!.at) < now.toISOString();
  return tickets.filter(isOver).sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
