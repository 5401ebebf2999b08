import { ArrowUp } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';

/** Counts the tickets that arrived above the visible rows. */
export function NewTicketsPill({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Button
      variant="primary"
      size="sm"
      onClick={onShow}
      className="absolute top-2 left-1/2 z-20 -translate-x-1/2 animate-pop rounded-full px-3 shadow-overlay"
    >
      <ArrowUp aria-hidden />
      {t('tickets.list.count_new_tickets', { count })}
    </Button>
  );
}
