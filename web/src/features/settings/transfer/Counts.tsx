import type { Import } from '@tandem/contracts';
import { t } from '../../../lib/staff-texts';
import { foundKinds } from './import-labels';

const cell = 'py-1.5 pl-4 text-right tabular';

/** The records by kind. Before the import they have been found, after it they have been created. */
export function Counts({ counts, isDone }: { counts: Import['counts']; isDone: boolean }) {
  // Teammates are matched, not created.
  const kinds = foundKinds(counts).filter(({ counts: { created, existing, failed } }) => !isDone || created + existing + failed > 0);
  const hasExisting = kinds.some((kind) => kind.counts.existing > 0);
  const hasFailed = kinds.some((kind) => kind.counts.failed > 0);
  return (
    <table className="w-full max-w-xl self-start">
      <caption className="sr-only">{t('settings.transfer.records_by_kind')}</caption>
      <thead className="border-b text-xs text-muted">
        <tr>
          <td />
          <th scope="col" className={`${cell} font-medium`}>
            {isDone ? t('settings.transfer.created') : t('settings.transfer.found')}
          </th>
          {hasExisting && (
            <th scope="col" className={`${cell} font-medium`}>
              {t('settings.transfer.already_imported')}
            </th>
          )}
          {hasFailed && (
            <th scope="col" className={`${cell} font-medium`}>
              {t('settings.transfer.left_out')}
            </th>
          )}
        </tr>
      </thead>
      <tbody className="divide-y">
        {kinds.map(({ kind, label, counts: { found, created, existing, failed } }) => (
          <tr key={kind}>
            <th scope="row" className="py-1.5 text-left font-normal">
              {label}
            </th>
            <td className={cell}>{(isDone ? created : found).toLocaleString('en-US')}</td>
            {hasExisting && <td className={`${cell} text-muted`}>{existing.toLocaleString('en-US')}</td>}
            {hasFailed && <td className={`${cell} ${failed > 0 ? 'text-red-text' : 'text-muted'}`}>{failed.toLocaleString('en-US')}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
