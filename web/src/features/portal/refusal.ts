import { messageOf, type ApiProblem } from '../../lib/problem';
import { localeOf, type PortalTranslate } from './language/texts';

/** Error message for customers. For rate limits it shows the time at which to retry rather than a number of seconds. */
export function refusalOf(problem: ApiProblem, t: PortalTranslate, now = new Date()): string {
  const seconds = problem.retry_after_seconds;
  if (problem.status !== 429 || !seconds) return messageOf(problem, '');
  const at = new Date(now.getTime() + seconds * 1_000);
  const time = new Intl.DateTimeFormat(localeOf(t.language), { hour: 'numeric', minute: '2-digit' }).format(at);
  return t('limit.wait', { time, minutes: Math.ceil(seconds / 60) });
}
