import type { FieldProblem, Problem, ProblemCode } from '@tandem/contracts/values';
import { t } from './staff-texts';

/** A failed API call: the server's problem, or a network failure (`status` 0: no response). */
export interface ApiProblem extends Omit<Problem, 'code'> {
  code: ProblemCode | 'network.failed' | 'answer.unreadable' | 'request.withdrawn' | 'request.aborted';
  /** The delay in the `Retry-After` header. */
  retry_after_seconds?: number;
}

export const isProblem = (error: unknown): error is ApiProblem =>
  typeof error === 'object' && error !== null && 'code' in error && 'status' in error && 'title' in error;

/** The user withdrew the request before it reached the server: not an error to report. */
export const isWithdrawn = (error: unknown): boolean => isProblem(error) && error.code === 'request.withdrawn';

/** Texts that replace the server's, which are in English. */
export interface ProblemTexts {
  problem: (code: ApiProblem['code']) => string;
  /** The text for an invalid input, by the input's path. */
  input: (path: string) => string;
}
let texts: ProblemTexts | undefined;
/** Without an argument, restores the server's texts. */
export function setProblemTexts(of?: ProblemTexts): void {
  texts = of;
}

/** The problem in the language of the page. */
export function localized(problem: ApiProblem): ApiProblem {
  if (!texts) return problem;
  const { problem: text, input } = texts;
  const errors = problem.errors?.map((each) => ({ ...each, message: input(each.path) }));
  return { ...problem, title: text(problem.code), detail: undefined, ...(errors ? { errors } : {}) };
}

/** The message for the user: the server's detail, else the problem's title, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  if (!isProblem(error)) return fallback;
  if (error.detail) return error.detail;
  const wait = error.retry_after_seconds;
  // For responses that contain only a waiting time.
  if (error.code === 'login.blocked' && wait) return t('lib.too_many_failed_logins', { minutes: Math.ceil(wait / 60) });
  if (error.code === 'limit.exceeded' && wait && !texts) return t('lib.rate_limit_exceeded', { seconds: wait });
  return error.title || fallback;
}

/** Problems of inputs by the first part of their path (`networks.2` belongs to `networks`). */
export const problemsByInput = (error: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(fieldProblems(error).map(({ path, message }): [string, string] => [path.split('.')[0] ?? path, message]));

/** Problems of single inputs, to be shown next to them. */
export const fieldProblems = (error: unknown): FieldProblem[] => (isProblem(error) ? (error.errors ?? []) : []);
