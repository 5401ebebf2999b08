import type { TicketStatus } from '@tandem/contracts/values';
import { cn } from '../../../lib/cn';
import { useTexts } from '../language/texts';

/** The last step that a ticket of this status has reached. */
const reached: Record<TicketStatus, number> = { open: 0, in_progress: 1, waiting_for_customer: 1, resolved: 2, closed: 2 };

/** How far the ticket is: three steps, with the customer's turn marked. */
export function Progress({ status }: { status: TicketStatus }) {
  const t = useTexts();
  const isWaiting = status === 'waiting_for_customer';
  const steps = [t('progress.received'), isWaiting ? t('progress.your_turn') : t('progress.working'), t('progress.done')];
  return (
    <ol aria-label={t('progress.label')} className="mt-4 grid grid-cols-3 gap-1.5 text-md">
      {steps.map((step, index) => {
        const isCurrent = index === reached[status];
        return (
          <li key={step} aria-current={isCurrent ? 'step' : undefined} className={isCurrent ? 'font-medium' : 'text-muted'}>
            <span aria-hidden className={cn('mb-1.5 block h-1.5 rounded-full', fill(index <= reached[status], isCurrent && isWaiting))} />
            {step}
          </li>
        );
      })}
    </ol>
  );
}

const fill = (isReached: boolean, isWaiting: boolean) => (isWaiting ? 'bg-amber-solid' : isReached ? 'bg-accent' : 'bg-control/40');
