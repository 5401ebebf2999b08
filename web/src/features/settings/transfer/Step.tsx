import { Check, ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';

export type StepState = 'done' | 'current' | 'upcoming';

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  /** One line: what the step is for, or its result. */
  summary: ReactNode;
  /** Whether a finished step is folded; its content can be shown again. */
  isFolded?: boolean;
  children?: ReactNode;
}

const marks: Record<StepState, string> = {
  done: 'border-transparent bg-green-soft text-green-text',
  current: 'border-transparent bg-accent text-accent-ink',
  upcoming: 'text-muted',
};
const stateNames: Record<StepState, string> = {
  done: t('settings.transfer.step_done'),
  current: t('settings.transfer.step_current'),
  upcoming: t('settings.transfer.step_upcoming'),
};

/** A step of the import. All steps stay visible, also those that are done or that follow. */
export function Step({ number, title, state, summary, isFolded = false, children }: StepProps) {
  const id = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isOpen = state !== 'upcoming' && (!isFolded || isUnfolded) && Boolean(children);
  return (
    <li>
      <Card aria-labelledby={id} className={cn('min-w-0', state === 'upcoming' && 'bg-transparent')}>
        <header className="flex items-center gap-3 px-4 py-3">
          <span className={cn('grid size-6 shrink-0 place-items-center rounded-full border text-xs font-semibold tabular', marks[state])}>
            {state === 'done' ? <Check className="size-3.5" aria-hidden /> : <span aria-hidden>{number}</span>}
          </span>
          <div className="min-w-0 flex-1">
            <h2 className={cn('font-semibold', state === 'upcoming' && 'text-muted')}>
              <span id={id}>{title}</span>
              <span className="sr-only">{t('settings.transfer.step_number', { number, state: stateNames[state] })}</span>
            </h2>
            <p className="text-pretty [overflow-wrap:anywhere] text-muted">{summary}</p>
          </div>
          {isFolded && state !== 'upcoming' && children && (
            <Button
              size="sm"
              variant="ghost"
              aria-expanded={isUnfolded}
              aria-label={t('settings.transfer.details_of_step', { title })}
              onClick={() => setIsUnfolded(!isUnfolded)}
            >
              {t('settings.transfer.details')}
              <ChevronDown className={cn('transition-transform', isUnfolded && 'rotate-180')} aria-hidden />
            </Button>
          )}
        </header>
        {isOpen && <div className="flex flex-col gap-4 border-t p-4">{children}</div>}
      </Card>
    </li>
  );
}
