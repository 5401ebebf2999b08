import { problems, type FieldProblem, type Problem, type ProblemCode } from './values/errors';

export interface AppErrorOptions {
  /** One sentence for the caller; never anything secret. */
  detail?: string;
  fields?: FieldProblem[];
  /** Seconds until a retry makes sense, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The first field's problem becomes the detail. Unknown fields are skipped: their message needs the name, which only `errors` has. */
const firstSentence = (fields: FieldProblem[] | undefined) => fields?.find(({ code }) => code !== 'unknown')?.message;

/** The only error whose meaning is sent to the caller. Any other error is sent as `internal`. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly fields: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, options: AppErrorOptions = {}) {
    super(options.detail ?? firstSentence(options.fields) ?? problems[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = problems[code].status;
    this.detail = options.detail ?? firstSentence(options.fields);
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The response body, RFC 9457. */
  toProblem(requestId: string): Problem {
    return {
      success: false,
      type: `/api/docs/errors#${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      code: this.code,
      ...(this.detail === undefined ? {} : { detail: this.detail }),
      ...(this.fields === undefined ? {} : { errors: this.fields }),
      request_id: requestId,
    };
  }
}

/** A failure that no retry can fix: a job stops retrying, a consumer's message becomes a dead letter immediately. */
export class Permanent extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'Permanent';
  }
}

/** For public pages and widgets: the page's host or the widget's key belongs to no organization. */
export const noOrganizationHere = () => new AppError('organization.not_found', { detail: 'Organization not found for this domain' });
