import type { ReactNode } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';

/** Shown in place of a part of the ticket page that failed to load. */
export function PartError({ children, busy, onRetry }: { children: ReactNode; busy?: boolean; onRetry: () => void }) {
  return (
    <p role="alert" className="flex items-center justify-between gap-2 text-xs text-muted">
      {children}
      <Button size="sm" busy={busy} onClick={onRetry}>
        {t('tickets.try_again')}
      </Button>
    </p>
  );
}
