import type { ExternalStatus } from '@tandem/contracts';
import { closedMeaningLabels, closedMeanings, type ClosedMeaning as Meaning } from '@tandem/contracts/values';
import { useId } from 'react';
import { t } from '../../lib/staff-texts';
import { Select } from '../../ui/Select';
import type { SettingsProps } from './settings-draft';

const options = closedMeanings.map((value) => ({ value, label: closedMeaningLabels[value] }));
const isClosing = ({ category }: ExternalStatus) => category === 'done' || category === 'closed';

/** The meaning of each closing task status for the customer: only finished work is announced as finished. */
export function ClosedMeaning({ list, draft, set }: SettingsProps) {
  const id = useId();
  const statuses = list.statuses.filter(isClosing);
  if (statuses.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {t('integration.closed_statuses')}
      </h3>
      <p className="text-muted">{t('integration.choose_what_each_status_means')}</p>
      <ul className="mt-2 divide-y border-y">
        {statuses.map((status) => (
          <li key={status.id} className="grid items-center gap-x-3 gap-y-1 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
            <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{status.name}</span>
            <Select
              label={t('integration.meaning_of_name', { name: status.name })}
              value={draft.closed_meanings[status.id] ?? status.meaning ?? 'finished'}
              options={options}
              onChange={(value) => set({ closed_meanings: { ...draft.closed_meanings, [status.id]: value as Meaning } })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
