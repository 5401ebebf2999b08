import type { Role } from '@tandem/contracts';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';
import { formatTime, oneLine } from '../text';

const roleNames: Record<Role, string> = { admin: 'an admin', manager: 'a manager', agent: 'an agent' };

/**
 * A name that mail clients do not turn into a link, or an email address. Inviters type their own name and anyone can create an
 * organization, so an invitation could otherwise be used to send spam.
 */
const isPlainName = (name: string): boolean =>
  name.length <= 80 && (/^\p{L}[\p{L}\p{M}' -]*$/u.test(name) || /^[\w.+-]+@[\w.-]+$/.test(name));

/**
 * A name that mail clients would turn into a link, or that is long enough to be a message: any text is allowed as an organization's name.
 */
const isNoName = (name: string): boolean => name.length > 60 || /:\/\/|@|[\p{L}\d]\.\p{L}{2,}/u.test(name);

/** Email to a person invited to join an organization. The organization's name is the only user input in the subject. */
export function invitation(offer: {
  theme: Theme;
  organization_name: string;
  invited_by: string | null;
  role: Role;
  expires_at: string;
  link: string;
}): Rendered {
  const { invited_by, role, expires_at, link } = offer;
  const organization_name = isNoName(offer.organization_name) ? 'a support team' : offer.organization_name;
  const inviter = invited_by !== null && isPlainName(invited_by) ? invited_by : 'An admin';
  return {
    subject: `Invitation to join ${oneLine(organization_name)}`,
    ...renderContent({
      theme: { ...offer.theme, sender: organization_name },
      heading: `Join ${organization_name} on Tandem`,
      paragraphs: ['Hello,', `${inviter} has invited you to the support team of ${organization_name}, as ${roleNames[role]}.`],
      action: { label: 'Accept invitation', href: link },
      closing: `The link works once, until ${formatTime(expires_at)}. If you don’t know ${organization_name}, you can ignore this message.`,
    }),
  };
}
