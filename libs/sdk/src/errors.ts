/** Why a member of the input was refused. */
export interface FieldError {
  /** The member, with dots: `changes.status`. */
  path: string;
  code: string;
  message: string;
}

interface Details {
  code: string;
  status?: number;
  fields?: FieldError[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/** A request that failed. */
export class TandemError extends Error {
  override readonly name = 'TandemError';
  /**
   * Stable: compare it. The API's codes are in its documentation (`ticket.not_found`). Those of this library are `sdk.network`,
   * `sdk.timeout`, `sdk.redirect` and `sdk.response` (the response is not from the API).
   */
  readonly code: string;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Each refused member of the input. */
  readonly fields: FieldError[];
  /** Identifies the request in logs and to support; null without a response. */
  readonly requestId: string | null;
  /** From `Retry-After`: a retry before then fails again. Null without it. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { code, status = 0, fields = [], requestId = null, retryAfterSeconds = null, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A request that is not a webhook of yours, or not a current one. `step` names the check that failed: a missing or malformed header, the
 * clock (too old, or from the future), the signature, or the body (signed, but not JSON).
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly step: 'header' | 'clock' | 'signature' | 'body',
    message: string,
  ) {
    super(message);
  }
}
