import type { Ticket } from '@tandem/contracts';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useHotkeys } from '../../../lib/keyboard';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';

const TagEditor = lazy(() => import('./TagEditor').then((module) => ({ default: module.TagEditor })));

/** The tags and, on request, an editor for them. Each change is saved immediately. */
export function TagRow({ ticket }: { ticket: Ticket }) {
  const [isEditing, setIsEditing] = useState(false);
  useHotkeys({ t: () => setIsEditing(true) });
  const isEmpty = ticket.tags.length === 0;
  const shown = (
    <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-1 px-2 py-1.5">
      {ticket.tags.map((tag) => (
        <Badge key={tag} tone="plain" className="min-w-0" title={tag}>
          <span className="truncate">{tag}</span>
        </Badge>
      ))}
      <Button
        size="sm"
        variant="ghost"
        aria-label={isEmpty ? t('tickets.panel.add_tags') : t('tickets.panel.edit_tags')}
        className="-my-1 h-5 px-1 touch:h-9"
        onClick={() => setIsEditing(true)}
      >
        <Plus aria-hidden />
        {isEmpty && t('tickets.panel.add')}
      </Button>
    </div>
  );
  return (
    <div className="grid grid-cols-[4.25rem_minmax(0,1fr)] items-start">
      <span className="pt-2 text-xs text-muted" aria-hidden>
        {t('tickets.panel.tags')}
      </span>
      {isEditing ? (
        <Suspense fallback={shown}>
          <TagEditor ticket={ticket} onDone={() => setIsEditing(false)} />
        </Suspense>
      ) : (
        shown
      )}
    </div>
  );
}
