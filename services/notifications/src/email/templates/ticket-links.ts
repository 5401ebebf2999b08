import { customerStatusLabels, type TicketStatus } from '@tandem/contracts';
import type { Rendered } from '../render';
import { layout } from './layout';

/** To a customer who asked for the links of their tickets. */
export function ticketLinks({
  sender,
  tickets,
}: {
  sender: string;
  tickets: { ticket_number: string; subject: string; status: string; link: string }[];
}): Rendered {
  return {
    subject: 'Your ticket links',
    ...layout({
      sender,
      heading: 'Your tickets',
      paragraphs: [`These are your tickets with ${sender}.`],
      links: tickets.map((ticket) => ({
        label: ticket.ticket_number,
        href: ticket.link,
        note: `${ticket.subject} · ${customerStatusLabels[ticket.status as TicketStatus]}`,
      })),
      closing: 'If you did not ask for these links, you can ignore this message.',
    }),
  };
}
