import type { TextKey, Translate } from '@tandem/languages';
import type { ApiProblem, ProblemTexts } from '../../../lib/problem';

/** The problems that customers can encounter. The server describes them in English. */
const codes = [
  'attachment.not_found',
  'attachment.not_usable',
  'attachment.refused',
  'challenge.required',
  'file.link_expired',
  'idempotency.running',
  'limit.exceeded',
  'network.failed',
  'organization.not_found',
  'request.invalid',
  'request.too_large',
  'service.unavailable',
  'survey.already_submitted',
  'ticket.locked',
  'ticket.not_found',
] as const satisfies ApiProblem['code'][];

/** In English the server's own sentences are shown, which are more precise. */
export function problemTexts(t: Translate<TextKey<'portal'>>): ProblemTexts | undefined {
  if (t.language === 'en') return undefined;
  return {
    problem: (code) => {
      const known = codes.find((each) => each === code);
      return known ? t(`problem.${known}`) : t('problem.other');
    },
    input: (path) => t(path.endsWith('email') && !path.startsWith('custom_fields.') ? 'problem.email' : 'problem.input'),
  };
}
