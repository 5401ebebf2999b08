import type { EmailData, EmailKind } from '../schema';
import { portalUrl, ticketStatusUrl } from './email';
import { accountExists } from './templates/account-exists';
import { confirmEmail } from './templates/confirm-email';
import { ticketCreated } from './templates/ticket-created';
import { ticketLinks } from './templates/ticket-links';

export interface Rendered {
  subject: string;
  text: string;
  html: string;
}

/** What a mail is made of, beside its own data. */
export interface Letterhead {
  public_url: string;
  /** Null for mails of the product itself. */
  organization: { name: string; subdomain: string | null } | null;
  to_address: string;
  /** Opens a sealed value of the mail's data. */
  open: (sealed: string) => string;
}

/** Subject, text and HTML of a mail. Everything a person typed is escaped; the subject carries nothing but the ticket number. */
export function render<K extends EmailKind>(kind: K, data: EmailData[K], head: Letterhead): Rendered {
  const portal = portalUrl(head.public_url, head.organization?.subdomain ?? null);
  const sender = head.organization?.name ?? 'Tandem';
  const linkOf = (ticket_id: string) => ticketStatusUrl(portal, ticket_id, head.to_address);
  switch (kind) {
    case 'ticket_created': {
      const ticket = data as EmailData['ticket_created'];
      return ticketCreated({ ...ticket, sender, link: linkOf(ticket.ticket_id) });
    }
    case 'ticket_links': {
      const { tickets } = data as EmailData['ticket_links'];
      return ticketLinks({ sender, tickets: tickets.map((ticket) => ({ ...ticket, link: linkOf(ticket.id) })) });
    }
    case 'confirm_email': {
      const { first_name, sealed_token } = data as EmailData['confirm_email'];
      if (!sealed_token) throw new Error('The token of this mail is gone: it was sent before');
      return confirmEmail({ first_name, link: `${new URL(head.public_url).origin}/auth/confirm?token=${head.open(sealed_token)}` });
    }
    default:
      return accountExists({ ...(data as EmailData['account_exists']), link: `${new URL(head.public_url).origin}/auth` });
  }
}
