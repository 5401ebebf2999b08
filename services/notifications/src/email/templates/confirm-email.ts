import { renderContent, type Rendered } from '../render-content';
import { productTheme } from '../theme';

/** To a user who signed up. */
export function confirmEmail({ first_name, link }: { first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Confirm your email address',
    ...renderContent({
      theme: productTheme('Tandem'),
      heading: 'Confirm your email address',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'Confirm your email to activate your account.'],
      links: [{ label: 'Confirm address', href: link }],
      closing: 'The link works once, within 24 hours. If you didn’t sign up, you can ignore this message.',
    }),
  };
}
