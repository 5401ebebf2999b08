import { TriangleAlert } from 'lucide-react';
import { formatMoment } from '../lib/dates';
import { t } from '../lib/staff-texts';
import { CancelDeletionButton } from './CancelDeletionButton';

/** Above every page of an organization whose deletion is requested, for its admins. */
export function DeletionBanner({ id, name, deletionAt }: { id: string; name: string; deletionAt: string }) {
  return (
    <section
      aria-label={t('app.scheduled_deletion')}
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1.5 border-b border-red-line bg-red-soft px-4 py-1.5 text-sm text-red-text print:hidden"
    >
      <p className="flex min-w-0 items-start gap-2 text-pretty">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span className="min-w-0 wrap-anywhere">{t('app.organization_will_be_deleted', { name, date: formatMoment(deletionAt) })}</span>
      </p>
      <CancelDeletionButton organization_id={id} />
    </section>
  );
}
