import type { Erasure } from '@tandem/contracts';
import { erasureRemains } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';
import { countedKinds, erasureNumber, serviceLabels, services } from './erasure-labels';

/** In UTC: readers of a stored receipt do not know the time zone of the browser that has written it. */
const inUtc = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** The receipt of a finished erasure as a text file, without data of the customer. */
export function receiptText(erasure: Erasure, { organization, requestedBy }: { organization: string; requestedBy: string }): string {
  const facts = [
    [t('settings.privacy.number'), erasureNumber(erasure)],
    [t('settings.privacy.organization'), organization],
    [t('settings.privacy.requested'), `${inUtc(erasure.created_at)}, ${requestedBy}`],
    [t('settings.privacy.started'), inUtc(erasure.starts_at)],
    ...(erasure.finished_at ? [[t('settings.privacy.finished'), inUtc(erasure.finished_at)]] : []),
  ];
  const deleted = services.flatMap((service) => {
    const kinds = countedKinds(erasure.answers[service] ?? {});
    const lines = kinds.map(({ label, count }) => `  ${label}: ${count}`);
    return [serviceLabels[service], ...(lines.length > 0 ? lines : [`  ${t('settings.privacy.nothing_stored')}`])];
  });
  return [
    t('settings.privacy.receipt'),
    '',
    ...facts.map(([label, value]) => `${label}: ${value}`),
    '',
    t('settings.privacy.what_was_deleted'),
    ...deleted,
    '',
    t('settings.privacy.what_remains'),
    ...erasure.remains.map((remain) => `- ${erasureRemains[remain]}`),
    '',
  ].join('\n');
}
