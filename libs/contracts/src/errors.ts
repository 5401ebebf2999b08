import { problems, type FieldProblem, type Problem, type ProblemCode } from './values/errors';

export interface AppErrorOptions {
  /** One sentence for the person who called; never anything secret. */
  detail?: string;
  fields?: FieldProblem[];
  /** Seconds until a repeat makes sense: becomes `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error that carries a meaning to the caller. Anything else that is thrown leaves as `internal`. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly fields: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ProblemCode, options: AppErrorOptions = {}) {
    super(options.detail ?? problems[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = problems[code].status;
    this.detail = options.detail;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The body of the answer, RFC 9457. */
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

/** A failure that no repeat can mend: a job stops retrying, a consumer's message goes to the dead letters at once. */
export class Permanent extends Error {
  constructor(reason: string, options: { cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'Permanent';
  }
}
