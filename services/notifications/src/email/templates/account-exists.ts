import type { Rendered } from '../render';
import { write } from '../letter';
import { productLook } from '../look';

/** To the owner of an address with which somebody signed up again, or to which somebody wants to move: no page may tell that it is taken. */
export function accountExists({ first_name, link }: { first_name: string | null; link: string }): Rendered {
  return {
    subject: 'You already have an account',
    ...write({
      look: productLook('Tandem'),
      heading: 'You already have an account',
      paragraphs: [
        `Hello${first_name ? ` ${first_name}` : ''},`,
        'Somebody, probably you, wanted to use this address for a Tandem account. There is one already: sign in with it.',
      ],
      links: [{ label: 'Sign in', href: link }],
      closing: 'If it was not you, nothing has changed and there is nothing to do.',
    }),
  };
}
