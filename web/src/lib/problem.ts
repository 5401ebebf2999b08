import type { FieldProblem, Problem, ProblemCode } from '@tandem/contracts/values';

/** What a call to our API can fail with: the server's problem, or the network's. `status` 0: no answer came at all. */
export interface ApiProblem extends Omit<Problem, 'code'> {
  code: ProblemCode | 'network.failed' | 'answer.unreadable' | 'request.withdrawn';
  /** From `Retry-After`. */
  retry_after_seconds?: number;
}

export const isProblem = (error: unknown): error is ApiProblem =>
  typeof error === 'object' && error !== null && 'code' in error && 'status' in error && 'title' in error;

/** The person took it back before it reached the server: not an error to report. */
export const isWithdrawn = (error: unknown): boolean => isProblem(error) && error.code === 'request.withdrawn';

/** The sentence for the person: the server's detail, else the title of the problem, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  if (!isProblem(error)) return fallback;
  if (error.detail) return error.detail;
  const wait = error.retry_after_seconds;
  // Spec part 1, section 5, for answers that name only the time to wait.
  if (error.code === 'login.blocked' && wait) return `Too many failed login attempts. Please try again in ${Math.ceil(wait / 60)} minutes.`;
  if (error.code === 'limit.exceeded' && wait) return `Rate limit exceeded. Please wait ${wait} seconds.`;
  return error.title || fallback;
}

/** Problems of single inputs, to be shown beside them. */
export const fieldProblems = (error: unknown): FieldProblem[] => (isProblem(error) ? (error.errors ?? []) : []);
