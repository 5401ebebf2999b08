import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

/**
 * Email to the owner of an address that was used for another sign-up or as a new sign-in address. Sent because the page must not reveal that it
 * is taken.
 */
export function accountExists({ theme, first_name, link }: { theme: Theme; first_name: string | null; link: string }): Rendered {
  return {
    subject: 'You already have an account',
    ...renderContent({
      theme,
      heading: 'You already have an account',
      paragraphs: [
        `Hello${first_name ? ` ${first_name}` : ''},`,
        'We received a request to use this address for a Tandem account. You already have one, so just sign in.',
      ],
      action: { label: 'Sign in', href: link },
      closing: 'If this wasn’t you, you can ignore this message. Nothing has changed.',
    }),
  };
}
