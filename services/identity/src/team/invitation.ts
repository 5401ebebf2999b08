/** Invitation links work for 7 days (docs/product-rules.md#invitations). */
export const invitationDays = 7;
export const invitationExpiry = (now: string): string => new Date(Date.parse(now) + invitationDays * 86_400_000).toISOString();

/** Maximum number of invitation emails per hour from one organization to one address, so that invitations cannot flood a mailbox. */
export const invitationMailsPerHour = 5;
/**
 * Maximum number per hour from one organization to all addresses. Anyone can create an organization with any name, and the emails contain
 * that name.
 */
export const invitationMailsPerHourOfTeam = 50;
const hourMs = 3_600_000;

/** The emails of the hour that starts at `mails_since`. */
export interface MailCount {
  mails_since: string;
  mails_sent: number;
}

/**
 * Counts one more email or, if the address has reached its hourly limit, returns how long to wait. An invitation that replaces another
 * continues its count, so cancelling and inviting again does not avoid the limit.
 */
export function countEmail(before: MailCount | undefined, now: string): MailCount | { retryAfterSeconds: number } {
  const passedMs = before === undefined ? hourMs : Date.parse(now) - Date.parse(before.mails_since);
  if (before === undefined || passedMs >= hourMs) return { mails_since: now, mails_sent: 1 };
  if (before.mails_sent < invitationMailsPerHour) return { mails_since: before.mails_since, mails_sent: before.mails_sent + 1 };
  return { retryAfterSeconds: Math.ceil((hourMs - passedMs) / 1000) };
}

/** The seconds until an organization may send its next invitation; undefined if it has not reached its hourly limit. */
export function teamRetryAfterSeconds({ spent, since, now }: { spent: number; since: string | null; now: string }): number | undefined {
  if (since === null || spent < invitationMailsPerHourOfTeam) return undefined;
  return Math.max(1, Math.ceil((Date.parse(since) + hourMs - Date.parse(now)) / 1000));
}
