import type { SenderChecks } from '@tandem/contracts';
import type { CheckResult } from '@tandem/contracts/values';

const results: Record<CheckResult, string> = { pass: 'Pass', fail: 'Fail', none: 'None', not_checked: 'Not checked' };

/** 'SPF: Pass · DKIM: None · DMARC: Fail', or 'Sender not checked'. */
export function checksText({ spf, dkim, dmarc }: SenderChecks): string {
  if ([spf, dkim, dmarc].every((result) => result === 'not_checked')) return 'Sender not checked';
  return `SPF: ${results[spf]} · DKIM: ${results[dkim]} · DMARC: ${results[dmarc]}`;
}
