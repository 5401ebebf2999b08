/** Product decisions: '7 days; the token is single-use and stored hashed; re-sending replaces it'. */
export const invitationDays = 7;
export const invitationExpiry = (now: string): string => new Date(Date.parse(now) + invitationDays * 86_400_000).toISOString();

/** How many invitations one address gets from one organization in an hour: nobody's mailbox is our cannon's target. */
export const invitationMailsPerHour = 5;
/** And how many all addresses together get from it: anybody may open an organization, under whatever name, and the mails carry it. */
export const invitationMailsPerHourOfTeam = 50;
const hourMs = 3_600_000;

/** The mails of the hour that began with `mails_since`. */
export interface MailCount {
  mails_since: string;
  mails_sent: number;
}

/**
 * The count with one mail more; or, when the address has had its share of this hour, how long that lasts. An invitation that takes
 * another one's place goes on counting where that one was: cancelling and inviting anew is no way around.
 */
export function countedMail(before: MailCount | undefined, now: string): MailCount | { retryAfterSeconds: number } {
  const passedMs = before === undefined ? hourMs : Date.parse(now) - Date.parse(before.mails_since);
  if (before === undefined || passedMs >= hourMs) return { mails_since: now, mails_sent: 1 };
  if (before.mails_sent < invitationMailsPerHour) return { mails_since: before.mails_since, mails_sent: before.mails_sent + 1 };
  return { retryAfterSeconds: Math.ceil((hourMs - passedMs) / 1000) };
}

/** How long an organization has to wait for its next invitation; undefined when it has mails of this hour left. */
export function teamWaitSeconds({ spent, since, now }: { spent: number; since: string | null; now: string }): number | undefined {
  if (since === null || spent < invitationMailsPerHourOfTeam) return undefined;
  return Math.max(1, Math.ceil((Date.parse(since) + hourMs - Date.parse(now)) / 1000));
}
