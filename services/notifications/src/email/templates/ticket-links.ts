import type { EmailData } from '../../schema';
import type { EmailTexts } from '../email-content';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { oneLine } from '../text';

/** Email to a customer who requested the links to their tickets. */
export function ticketLinks({
  theme,
  texts,
  tickets,
}: {
  theme: Theme;
  texts: EmailTexts;
  tickets: (EmailData['ticket_links']['tickets'][number] & { link: string })[];
}): Rendered {
  return {
    subject: texts('subject.links'),
    ...renderContent({
      theme,
      texts,
      heading: texts('links.heading'),
      paragraphs: [texts('links.body', { team: theme.sender })],
      tickets: tickets.map((ticket) => ({
        number: ticket.ticket_number,
        subject: oneLine(ticket.subject, 200),
        href: ticket.link,
        lines: [texts(`status.${ticket.status}`)],
      })),
      closing: texts('links.closing'),
    }),
  };
}
