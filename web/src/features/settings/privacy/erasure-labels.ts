import type { Erasure } from '@tandem/contracts';
import { erasedKinds, type ErasedKind } from '@tandem/contracts/values';
import { formatUntil } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import type { BadgeTone } from '../../../ui/Badge';

export const erasureStateLabels: Record<Erasure['state'], string> = {
  scheduled: t('settings.privacy.state_scheduled'),
  running: t('settings.privacy.state_running'),
  done: t('settings.privacy.state_done'),
  cancelled: t('settings.privacy.state_cancelled'),
};
export const erasureStateTones: Record<Erasure['state'], BadgeTone> = {
  scheduled: 'amber',
  running: 'accent',
  done: 'green',
  cancelled: 'gray',
};

type Service = keyof Erasure['answers'];
/** In the order of the receipt. */
export const serviceLabels: Record<Service, string> = {
  tickets: t('settings.privacy.service_tickets'),
  notifications: t('settings.privacy.service_notifications'),
  integrations: t('settings.privacy.service_integrations'),
  analytics: t('settings.privacy.service_analytics'),
  identity: t('settings.privacy.service_identity'),
};
export const services = Object.keys(serviceLabels) as Service[];

/** Identifies the erasure on its receipt, which does not contain the address. The end of an id is random, its start is a time. */
export const erasureNumber = ({ id }: Pick<Erasure, 'id'>): string => id.slice(-8).toUpperCase();

/** The kinds that were counted, in the order of the contract. */
export const countedKinds = (counts: Partial<Record<ErasedKind, number>>): { kind: ErasedKind; label: string; count: number }[] =>
  (Object.keys(erasedKinds) as ErasedKind[]).flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ kind, label: erasedKinds[kind], count }] : [];
  });

/** `useNow` is up to 30 s behind, and the clock of the server differs. */
const clockToleranceMs = 60_000;
/** Whether the server is deleting, or begins to within seconds. */
export const isUnderWay = ({ state, starts_at }: Erasure, now: number): boolean =>
  state === 'running' || (state === 'scheduled' && Date.parse(starts_at) <= now + clockToleranceMs);
export const canCancel = (erasure: Erasure, now: number): boolean => erasure.state === 'scheduled' && !isUnderWay(erasure, now);

/** When it starts, or how many services have finished; undefined if it is over. */
export function progressText(erasure: Erasure, now: number): string | undefined {
  if (canCancel(erasure, now)) return t('settings.privacy.starts_when', { when: formatUntil(erasure.starts_at, now) });
  if (erasure.state === 'scheduled') return t('settings.privacy.starts_now');
  if (erasure.state !== 'running') return undefined;
  const done = services.filter((service) => erasure.answers[service]).length;
  return t('settings.privacy.services_done', { done, total: services.length });
}
