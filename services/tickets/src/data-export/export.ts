import { exportLimits, type ServiceName } from '@tandem/contracts';

/** The services that send a part. */
export const partServices = ['identity', 'notifications', 'integrations', 'analytics'] as const satisfies readonly ServiceName[];
export type PartService = (typeof partServices)[number];

/** The addresses in rows of exports of customers are sealed with it. */
export const customerPurpose = 'customer-export';

/** A piece of an archive in the file storage. */
export interface ArchivePiece {
  id: string;
  /** Bytes. */
  size: number;
}

/** An archive is stored in pieces of at most this size: S3 accepts at most 5 GB in one request. */
export const maxPieceBytes = 1024 ** 3;

/** The bytes of each piece of an archive of this size. */
export function pieceSizes(size: number, max = maxPieceBytes): number[] {
  const sizes: number[] = [];
  for (let rest = size; rest > 0; rest -= max) sizes.push(Math.min(rest, max));
  return sizes;
}

export const expiryOf = (finished: Date): Date => new Date(finished.getTime() + exportLimits.keepDays * 24 * 3_600_000);

/** Texts in `left_out` of each archive. */
export const leftOut: readonly string[] = [
  'Passwords, two-factor secrets and sessions of members',
  'Values of API tokens, and secrets of webhooks, the widget, single sign-on, mailboxes, mail servers and signing keys',
  'Tokens of task tools, the state of linked tasks, and the log of their synchronization',
  'Drafts, read positions, and list settings of members',
  'Running SLA timers: they start again from the policies',
  'What is needed to undo a merge of tickets',
  'Which rules have run on which tickets',
  'Logs that are deleted after some days anyway: emails, webhook deliveries, runs of rules, searches on the help pages',
  'Deleted articles and deleted custom fields, which can be restored for 30 days',
  'Figures of analytics and of the help pages: those of tickets are calculated from the tickets',
];

/** The same of an export of a customer. */
export const leftOutOfCustomers: readonly string[] = [
  'Other tickets of which the customer is in Cc or on which they have written: only their own comments and the numbers of the tickets',
  'Texts of other customers that mention this one',
  'Names and addresses of members of the team, except in texts',
  'Drafts of replies that the team has not sent',
  'Webhook events: they have the same content as the tickets',
];
