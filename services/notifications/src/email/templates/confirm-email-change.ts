import type { Rendered } from '../render';
import { write } from '../letter';
import { productLook } from '../look';

/** To the address that a user wants to sign in with. */
export function confirmEmailChange({ first_name, link }: { first_name: string | null; link: string }): Rendered {
  return {
    subject: 'Confirm your new email address',
    ...write({
      look: productLook('Tandem'),
      heading: 'Confirm your new email address',
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, 'Confirm this address to start signing in to Tandem with it.'],
      links: [{ label: 'Use this address', href: link }],
      closing: 'The link works once, within 24 hours. If you didn’t request it, you can ignore this message.',
    }),
  };
}
