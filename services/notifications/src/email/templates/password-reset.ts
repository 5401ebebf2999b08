import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

/** Email to a user who forgot their password. */
export function passwordReset({ theme, first_name, link }: { theme: Theme; first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Set a new password',
    ...renderContent({
      theme,
      heading: 'Set a new password',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'We received a request to reset your Tandem password.'],
      action: { label: 'Set a new password', href: link },
      closing: 'The link works once, within one hour. If you didn’t request it, you can ignore this message. Your password stays the same.',
    }),
  };
}
