import type { AccountChange } from '../../schema';
import type { DeletionNews } from './organization-deletion';
import { renderContent, type Rendered } from '../render-content';
import type { Theme } from '../theme';

const changes: Record<Exclude<AccountChange, DeletionNews>, { subject: string; text: string }> = {
  password_changed: {
    subject: 'Your password was changed',
    text: 'The password of your Tandem account was changed. Your other devices have been signed out.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    text: 'The email address of your Tandem account was changed. You can no longer sign in with this address.',
  },
  mfa_enabled: {
    subject: 'Two-factor sign-in is on',
    text: 'Two-factor sign-in was turned on for your Tandem account.',
  },
  mfa_disabled: {
    subject: 'Two-factor sign-in is off',
    text: 'Two-factor sign-in was turned off for your Tandem account.',
  },
};

/** Reports a change to the account's owner, who learns of it even if an attacker made the change. */
export function accountChanged({
  theme,
  first_name,
  what,
  link,
}: {
  theme: Theme;
  first_name: string | null;
  what: Exclude<AccountChange, DeletionNews>;
  link: string;
}): Rendered {
  const { subject, text } = changes[what];
  // The link sets a new password, so it must not go to an address that the account no longer has.
  const moved = what === 'email_changed';
  return {
    subject,
    ...renderContent({
      theme,
      heading: subject,
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, text],
      ...(moved ? {} : { action: { label: 'This wasn’t me', href: link } }),
      closing: moved
        ? 'If this wasn’t you, tell your organization’s admins right away. Otherwise, you don’t need to do anything.'
        : 'If this was you, you don’t need to do anything.',
    }),
  };
}
