import { renderContent, type Rendered } from '../render-content';
import { productTheme } from '../theme';

/** To a user who forgot their password. */
export function passwordReset({ first_name, link }: { first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Set a new password',
    ...renderContent({
      theme: productTheme('Tandem'),
      heading: 'Set a new password',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'We received a request to reset your Tandem password.'],
      links: [{ label: 'Set a new password', href: link }],
      closing: 'The link works once, within one hour. If you didn’t request it, you can ignore this message. Your password stays the same.',
    }),
  };
}
