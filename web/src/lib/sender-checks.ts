import type { SenderChecks } from '@tandem/contracts';
import type { CheckResult } from '@tandem/contracts/values';
import { t } from './staff-texts';

const results: Record<CheckResult, string> = {
  pass: t('lib.check_passed'),
  fail: t('lib.check_failed'),
  none: t('lib.no_check'),
  not_checked: t('lib.not_checked'),
};

/** 'SPF: Pass · DKIM: None · DMARC: Fail', or 'Sender not checked'. */
export function checksText({ spf, dkim, dmarc }: SenderChecks): string {
  if ([spf, dkim, dmarc].every((result) => result === 'not_checked')) return t('lib.sender_not_checked');
  return t('lib.sender_checks', { spf: results[spf], dkim: results[dkim], dmarc: results[dmarc] });
}
