import { renderContent, type Rendered } from '../render-content';
import { productTheme } from '../theme';

/**
 * To the owner of an address that was used for another sign-up or as a new sign-in address. Sent because the page must not reveal that it
 * is taken.
 */
export function accountExists({ first_name, link }: { first_name: string | null; link: string }): Rendered {
  return {
    subject: 'You already have an account',
    ...renderContent({
      theme: productTheme('Tandem'),
      heading: 'You already have an account',
      paragraphs: [
        `Hello${first_name ? ` ${first_name}` : ''},`,
        'We received a request to use this address for a Tandem account. You already have one, so just sign in.',
      ],
      links: [{ label: 'Sign in', href: link }],
      closing: 'If this wasn’t you, you can ignore this message. Nothing has changed.',
    }),
  };
}
