import { problems, type FieldProblem, type Problem, type ProblemCode } from './values/errors';

export interface AppErrorOptions {
  /** One sentence for the person who called; never anything secret. */
  detail?: string;
  fields?: FieldProblem[];
  /** Seconds until a repeat makes sense: becomes `Retry-After`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The problem of the first field stands for the whole. That a field is unknown says nothing without its name, which `errors` has. */
const firstSentence = (fields: FieldProblem[] | undefined) => fields?.find(({ code }) => code !== 'unknown')?.message;

/** The one error that carries a meaning to the caller. Anything else that is thrown leaves as `internal`. */
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

/** For public pages and widgets: the address of the page, or the key of the widget, names no organization. */
export const noOrganizationHere = () => new AppError('organization.not_found', { detail: 'Organization not found for this domain' });
