import type { AccountDeletion } from '@tandem/contracts';
import { deletionRules } from '@tandem/contracts/values';
import type { AccountChange } from '../../schema';
import { renderContent, type Rendered } from '../render-content';
import { formatTime, oneLine } from '../text';
import type { Theme } from '../theme';

/** The changes to an account that come from the deletion of its organization. */
export type DeletionNews = Extract<AccountChange, `deletion_${string}` | 'deleted'>;
export const isAboutDeletion = (what: AccountChange): what is DeletionNews => what === 'deleted' || what.startsWith('deletion_');

interface Texts {
  subject: string;
  paragraphs: string[];
  /** The button that leads to the page on which an admin can cancel. */
  action?: string;
  closing: string;
}

const howToCancel = 'Until then, everything works as usual. Any admin can cancel in Settings → General.';

const texts: Record<DeletionNews, (about: { name: string; actor: string; at: string; requestedAt: string }) => Texts> = {
  deletion_requested: ({ name, actor, at, requestedAt }) => ({
    subject: `${name} will be deleted on ${at}`,
    paragraphs: [
      `${actor} requested the deletion of ${name} on ${requestedAt}.`,
      `On ${at}, all tickets, files, settings and the accounts of all members will be deleted. This can’t be undone.`,
      howToCancel,
    ],
    action: 'Review or cancel',
    closing: 'If you don’t expect this, cancel the deletion and ask all admins to change their passwords.',
  }),
  deletion_due: ({ name, actor, at, requestedAt }) => ({
    subject: `Reminder: ${name} will be deleted on ${at}`,
    paragraphs: [
      `${actor} requested the deletion of ${name} on ${requestedAt}. No admin has cancelled it.`,
      `On ${at}, all tickets, files, settings and the accounts of all members will be deleted. This can’t be undone.`,
      howToCancel,
    ],
    action: 'Review or cancel',
    closing: 'If you want to delete the organization, you don’t need to do anything.',
  }),
  deletion_cancelled: ({ name, actor }) => ({
    subject: `${name} won’t be deleted`,
    paragraphs: [`${actor} cancelled the deletion of ${name}. Nothing was deleted.`],
    closing: `An admin can request the deletion again. It then takes another ${deletionRules.days} days.`,
  }),
  deleted: ({ name, actor, requestedAt }) => ({
    subject: `${name} and your account were deleted`,
    paragraphs: [
      `${name} was deleted, as ${actor} requested on ${requestedAt}.`,
      'Your account and all data of the organization are gone. You can no longer sign in with this address.',
    ],
    closing: 'You don’t need to do anything. This is the last email about this account.',
  }),
};

/** Reports each step of a deletion: to the admins, and its end to every member. */
export function organizationDeletion({
  theme,
  first_name,
  what,
  link,
  ...deletion
}: AccountDeletion & { theme: Theme; first_name: string | null; what: DeletionNews; link: string }): Rendered {
  const { subject, paragraphs, action, closing } = texts[what]({
    name: oneLine(deletion.organization_name),
    actor: deletion.actor_name === null ? 'An admin' : oneLine(deletion.actor_name),
    at: formatTime(deletion.delete_at),
    requestedAt: formatTime(deletion.requested_at),
  });
  return {
    subject,
    ...renderContent({
      theme,
      heading: subject,
      paragraphs: [`Hello${first_name ? ` ${first_name}` : ''},`, ...paragraphs],
      ...(action && { action: { label: action, href: link } }),
      closing,
    }),
  };
}
