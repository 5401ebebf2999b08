import { customerStatusLabels, type TicketStatus } from '@tandem/contracts';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { oneLine } from '../text';

/** To a customer who requested the links to their tickets. */
export function ticketLinks({
  theme,
  tickets,
}: {
  theme: Theme;
  tickets: { ticket_number: string; subject: string; status: string; link: string }[];
}): Rendered {
  return {
    subject: 'Your ticket links',
    ...renderContent({
      theme,
      heading: 'Your tickets',
      paragraphs: [`These are your tickets with ${theme.sender}.`],
      tickets: tickets.map((ticket) => ({
        number: ticket.ticket_number,
        subject: oneLine(ticket.subject, 200),
        href: ticket.link,
        lines: [customerStatusLabels[ticket.status as TicketStatus]],
      })),
      closing: 'If you didn’t request these links, you can ignore this message.',
    }),
  };
}
