import type { Rendered } from '../render';
import { layout } from './layout';

/** To the customer, when a ticket is opened for them. No text that a stranger chose stands in the subject: open forms are spam cannons. */
export function ticketCreated(ticket: {
  sender: string;
  ticket_number: string;
  subject: string;
  customer_name: string | null;
  link: string;
}): Rendered {
  return {
    subject: `Your ticket ${ticket.ticket_number} has been created`,
    ...layout({
      sender: ticket.sender,
      heading: `We have received your request ${ticket.ticket_number}`,
      paragraphs: [
        `Hello${ticket.customer_name ? ` ${ticket.customer_name}` : ''},`,
        `“${ticket.subject}” is now a ticket with ${ticket.sender}. You will receive updates by e-mail.`,
      ],
      links: [{ label: 'View your ticket', href: ticket.link }],
      closing: 'If you did not ask for help here, you can ignore this message.',
    }),
  };
}
