import { messageOf, type ApiProblem } from '../../lib/problem';

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** Error message for customers. For rate limits it shows the time at which to retry rather than a number of seconds. */
export function refusalOf(problem: ApiProblem, now = new Date()): string {
  const seconds = problem.retry_after_seconds;
  if (problem.status !== 429 || !seconds) return messageOf(problem, '');
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  return `Rate limit exceeded. Please try again at ${clock.format(new Date(now.getTime() + seconds * 1_000))} (${wait}).`;
}
