import { customerStatusLabels, type TicketStatus } from '@tandem/contracts';
import type { Rendered } from '../render';
import { write } from '../letter';
import type { Look } from '../look';
import { oneLine } from '../words';

/** To a customer who requested the links to their tickets. */
export function ticketLinks({
  look,
  tickets,
}: {
  look: Look;
  tickets: { ticket_number: string; subject: string; status: string; link: string }[];
}): Rendered {
  return {
    subject: 'Your ticket links',
    ...write({
      look,
      heading: 'Your tickets',
      paragraphs: [`These are your tickets with ${look.sender}.`],
      links: tickets.map((ticket) => ({
        label: ticket.ticket_number,
        href: ticket.link,
        note: `${oneLine(ticket.subject, 200)} · ${customerStatusLabels[ticket.status as TicketStatus]}`,
      })),
      closing: 'If you didn’t request these links, you can ignore this message.',
    }),
  };
}
