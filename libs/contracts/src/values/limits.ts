/**
 * The specification's limits (part 1, section 9), per window. `blockSeconds`: how long a caller stays out once over.
 * The gateway enforces them in Redis; nothing else counts requests.
 */
export const limits = {
  api: { limit: 100, windowSeconds: 60, blockSeconds: 0 },
  login: { limit: 5, windowSeconds: 15 * 60, blockSeconds: 30 * 60 },
  ticket_submission: { limit: 10, windowSeconds: 60 * 60, blockSeconds: 0 },
  password_reset: { limit: 3, windowSeconds: 60 * 60, blockSeconds: 2 * 60 * 60 },
  /** Of one organization's widget, all visitors together (part 2, section 9). A ticket from it counts as a submission as well. */
  widget: { limit: 100, windowSeconds: 60, blockSeconds: 0 },
  /** What an open page sends without being asked to, each counted alone: none of it may use up the calls that a person makes. */
  session: { limit: 120, windowSeconds: 60, blockSeconds: 0 },
  events: { limit: 60, windowSeconds: 60, blockSeconds: 0 },
  presence: { limit: 300, windowSeconds: 60, blockSeconds: 0 },
  unread: { limit: 300, windowSeconds: 60, blockSeconds: 0 },
  /** Files that one client address may send with tickets and comments on public pages; our own number. */
  public_upload: { limit: 60, windowSeconds: 60 * 60, blockSeconds: 0 },
} as const;
export type LimitClass = keyof typeof limits;

/** A client address may fail this many times as often as one account before it is refused: a whole office shares one. */
export const attemptsPerAddressFactor = 10;

/** Idle 30 minutes inside 8 hours absolute; the warning comes 5 minutes before (`product-decisions.md`). */
export const sessionRules = { idleMinutes: 30, absoluteHours: 8, warningMinutes: 5, accessTokenMinutes: 10 } as const;

export const passwordRules = { minLength: 8, maxLength: 256 } as const;

/** Spec part 2, section 5. */
export const subdomainRule = {
  pattern: /^[a-z0-9](?:[a-z0-9-]{1,28})[a-z0-9]$/,
  message: 'Subdomain must be 3-30 characters long and contain only lowercase letters, numbers, and hyphens',
} as const;
