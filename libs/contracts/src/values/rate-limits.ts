/**
 * Rate limits per window. `blockSeconds` is how long a caller that exceeds the limit is blocked. A response with the status `refundOn` or a
 * higher one is not counted. The gateway enforces them in Redis; no other component counts requests. See docs/product-rules.md#limits.
 */
export const limits = {
  api: { limit: 100, windowSeconds: 60, blockSeconds: 0 },
  /** Per API token, instead of `api`; shared by all replicas of the gateway. */
  rest_api: { limit: 1_000, windowSeconds: 60, blockSeconds: 0 },
  login: { limit: 5, windowSeconds: 15 * 60, blockSeconds: 30 * 60 },
  /** A failure on our side is not counted. */
  ticket_submission: { limit: 10, windowSeconds: 60 * 60, blockSeconds: 0, refundOn: 500 },
  /** A rejected request has emailed no link. One for an unknown address is a success and stays counted. */
  password_reset: { limit: 3, windowSeconds: 60 * 60, blockSeconds: 2 * 60 * 60, refundOn: 400 },
  /** Help pages: per client address, which an office shares. A search asks with every pause in typing. */
  help: { limit: 600, windowSeconds: 60, blockSeconds: 0 },
  /** For all visitors of one organization's widget together. A ticket from it also counts as a submission. */
  widget: { limit: 100, windowSeconds: 60, blockSeconds: 0 },
  /** Each creates an organization with demo data. Refused starts count as well. */
  demo: { limit: 10, windowSeconds: 60 * 60, blockSeconds: 0 },
  /** Requests that an open page sends automatically, each counted separately, so that they never use up the limit of a user's own calls. */
  session: { limit: 120, windowSeconds: 60, blockSeconds: 0 },
  events: { limit: 60, windowSeconds: 60, blockSeconds: 0 },
  presence: { limit: 300, windowSeconds: 60, blockSeconds: 0 },
  unread: { limit: 300, windowSeconds: 60, blockSeconds: 0 },
  /** Each test connects to a mail server that an admin named, with a password. */
  email_test: { limit: 30, windowSeconds: 60 * 60, blockSeconds: 0 },
  /** Maximum number of files that one client address may upload with tickets and comments on public pages. */
  public_upload: { limit: 60, windowSeconds: 60 * 60, blockSeconds: 0 },
} as const;
export type LimitClass = keyof typeof limits;

/**
 * Limits on the data that a visitor of a live demo stores. `changes` is the maximum number of versions of all tickets together; the demo
 * data has fewer than 3,000. `characters` is the maximum length of a text.
 */
export const demoLimits = { changes: 4_000, characters: 10_000, fileBytes: 20 * 1024 * 1024 } as const;

/** Failed attempts per client address, as a multiple of those per account: an office shares one (docs/product-rules.md#lock-out). */
export const attemptsPerAddressFactor = 10;
