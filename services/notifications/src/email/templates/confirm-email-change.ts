import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

/** Email to the address that a user wants to sign in with. */
export function confirmEmailChange({ theme, first_name, link }: { theme: Theme; first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Confirm your new email address',
    ...renderContent({
      theme,
      heading: 'Confirm your new email address',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'Confirm this address to start signing in to Tandem with it.'],
      action: { label: 'Use this address', href: link },
      closing: 'The link works once, within 24 hours. If you didn’t request it, you can ignore this message.',
    }),
  };
}
