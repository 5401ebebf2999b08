import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { fieldLabels, valueText } from './edit-conflicts';
import type { TicketField, TicketValues } from './use-ticket-form';

interface EditConflictsProps {
  /** Fields that both people changed: undecided, or decided in favor of the user's own value. */
  conflicts: TicketField[];
  /** Fields that only the other person changed; the form already shows their values. */
  taken: TicketField[];
  theirs: TicketValues;
  onTakeTheirs: (name: TicketField) => void;
  onKeepMine: (name: TicketField) => void;
}

const namesOf = (names: TicketField[]) => names.map((name) => fieldLabels[name]).join(', ');

/** Shown if another person has saved first: lists the affected fields and lets the user choose for each. No input is lost. */
export function EditConflicts({ conflicts, taken, theirs, onTakeTheirs, onKeepMine }: EditConflictsProps) {
  return (
    <Alert tone="destructive" className="mb-5">
      <p>{t('tickets.form.another_change_was_saved')}</p>
      {taken.length > 0 && <p className="mt-1">{t('tickets.form.updated_fields', { namesOf: namesOf(taken) })}</p>}
      {conflicts.length > 0 && (
        <ul aria-label={t('tickets.form.fields_changed_by_both')} className="mt-2 flex flex-col gap-2">
          {conflicts.map((name) => (
            <li key={name} aria-label={fieldLabels[name]} className="rounded-md border border-red-line bg-surface px-3 py-2 text-ink">
              <p className="text-xs text-muted">{t('tickets.form.name_name_is_now', { nameName: fieldLabels[name] })}</p>
              <p dir="auto" className="line-clamp-4 [overflow-wrap:anywhere] whitespace-pre-wrap">
                {valueText(name, theirs)}
              </p>
              <div className="mt-2 flex gap-2">
                <Button size="sm" onClick={() => onKeepMine(name)}>
                  {t('tickets.form.keep_mine')}
                </Button>
                <Button size="sm" onClick={() => onTakeTheirs(name)}>
                  {t('tickets.form.take_theirs')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
