import type { Rendered } from '../render';
import type { AccountChange } from '../../schema';
import { renderContent } from '../email-content';
import { productTheme } from '../theme';

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
    said: 'Two-factor sign-in was turned on for your Tandem account.',
  },
  mfa_disabled: {
    subject: 'Two-factor sign-in is off',
    said: 'Two-factor sign-in was turned off for your Tandem account.',
  },
};

/** Reports a change to the account's owner, who learns of it even if an attacker made the change. */
export function accountChanged({ first_name, what, link }: { first_name: string | null; what: AccountChange; link: string }): Rendered {
  const { subject, said } = changes[what];
  // The link sets a new password, so it must not go to an address that the account no longer has.
  const moved = what === 'email_changed';
  return {
    subject,
    ...renderContent({
      theme: productTheme('Tandem'),
      heading: subject,
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, said],
      links: moved ? [] : [{ label: 'This wasn’t me', href: link }],
      closing: moved
        ? 'If this wasn’t you, tell your organization’s admins right away. Otherwise, you don’t need to do anything.'
        : 'If this was you, you don’t need to do anything.',
    }),
  };
}
