import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

/** Email to a user who signed up. */
export function confirmEmail({ theme, first_name, link }: { theme: Theme; first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Confirm your email address',
    ...renderContent({
      theme,
      heading: 'Confirm your email address',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'Confirm your email to activate your account.'],
      action: { label: 'Confirm address', href: link },
      closing: 'The link works once, within 24 hours. If you didn’t sign up, you can ignore this message.',
    }),
  };
}
