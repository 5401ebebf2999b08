import type { ChangesWithComment } from '@tandem/contracts';
import { X } from 'lucide-react';
import { useListMembersQuery } from '../../../app/api';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { withoutChange } from '../../../app/custom-fields/ticket-fields';
import { t } from '../../../lib/staff-texts';
import { changeSentences } from '../macros/change-labels';

/** The changes that will be made together with the comment; each can be removed. */
export function PendingChanges({ changes, onChange }: { changes: ChangesWithComment; onChange: (changes: ChangesWithComment) => void }) {
  const { data: members = [] } = useListMembersQuery();
  const fields = useCustomFields();
  const sentences = changeSentences(changes, members, fields);
  if (sentences.length === 0) return null;
  return (
    <ul aria-label={t('tickets.composer.changes_with_this_comment')} className="flex flex-wrap gap-1.5 px-3 pb-2">
      {sentences.map(({ field, text }) => (
        <li key={field} className="inline-flex h-6 max-w-full items-center gap-0.5 rounded-sm border bg-surface pl-2 text-xs touch:h-9">
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={t('tickets.composer.do_not_change_text', { text })}
            onClick={() => onChange(withoutChange(changes, field))}
            className="grid size-6 place-items-center text-muted hover:text-ink touch:size-9"
          >
            <X className="size-3" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
