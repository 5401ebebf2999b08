import { useEffect } from 'react';
import { cn } from '../lib/cn';
import { t } from '../lib/staff-texts';
import { Button } from './Button';

interface SaveBarProps {
  /** The labels of the changed fields. */
  changed: readonly string[];
  /** Names the values that the button saves, for pages with several bars. */
  label?: string;
  busy: boolean;
  onDiscard: () => void;
  /** Whether the current values cannot be saved. */
  isInvalid?: boolean;
  /** Shown after saving, until something changes. */
  note?: string | false;
  /** Below several cards, rather than at the end of one. */
  isBelowCards?: boolean;
}

/** Lets the browser ask before a reload or another site discards the changes. Pages of the app keep them in memory. */
function useConfirmedLeave(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

/** The buttons of a form, always in view while there is something to save. */
export function SaveBar({ changed, label = t('ui.save'), busy, onDiscard, isInvalid = false, note, isBelowCards = false }: SaveBarProps) {
  const isChanged = changed.length > 0;
  useConfirmedLeave(isChanged);
  return (
    <div
      data-above-toasts={isChanged ? '' : undefined}
      className={cn(
        'flex flex-wrap items-center gap-x-3 gap-y-2',
        isBelowCards ? 'bg-canvas' : '-mx-4 -mb-4 self-stretch rounded-b-lg bg-surface p-4',
        isChanged && 'sticky bottom-0 border-t py-3',
        isChanged && isBelowCards && '-mb-3',
      )}
    >
      <Button type="submit" variant="primary" busy={busy} disabled={!isChanged || isInvalid}>
        {label}
      </Button>
      {isChanged && <Button onClick={onDiscard}>{t('ui.discard')}</Button>}
      <span role="status" className="min-w-0 text-pretty text-muted">
        {isChanged ? t('ui.unsaved_fields', { fields: changed.join(', ') }) : note}
      </span>
    </div>
  );
}
