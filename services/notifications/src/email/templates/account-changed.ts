import type { Rendered } from '../render';
import type { AccountChange } from '../../schema';
import { write } from '../letter';
import { productLook } from '../look';

const changes: Record<AccountChange, { subject: string; said: string }> = {
  password_changed: {
    subject: 'Your password was changed',
    said: 'The password of your Tandem account was changed. Your other devices have been signed out.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    said: 'You now sign in to your Tandem account with another address. This one no longer belongs to it.',
  },
  mfa_enabled: {
    subject: 'Two-factor sign-in is on',
    said: 'Two-factor sign-in was switched on for your Tandem account.',
  },
  mfa_disabled: {
    subject: 'Two-factor sign-in is off',
    said: 'Two-factor sign-in was switched off for your Tandem account.',
  },
};

/** Reports a change to the account's owner, who learns of it even if an attacker made the change. */
export function accountChanged({ first_name, what, link }: { first_name: string | null; what: AccountChange; link: string }): Rendered {
  const { subject, said } = changes[what];
  // The link sets a new password, so it must not go to an address that the account no longer has.
  const moved = what === 'email_changed';
  return {
    subject,
    ...write({
      look: productLook('Tandem'),
      heading: subject,
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, said],
      links: moved ? [] : [{ label: 'It was not me: set a new password', href: link }],
      closing: moved
        ? 'If it was not you, tell the admins of your organization at once. If it was you, there is nothing to do.'
        : 'If it was you, there is nothing to do.',
    }),
  };
}
