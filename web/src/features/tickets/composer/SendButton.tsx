import type { ChangesWithComment } from '@tandem/contracts';
import { ChevronDown, CircleCheck, Clock } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';

interface SendButtonProps {
  internal: boolean;
  disabled: boolean;
  onSend: (changes: ChangesWithComment) => void;
}

/** Sends the text, with a menu to also change the ticket in one step. */
export function SendButton({ internal, disabled, onSend }: SendButtonProps) {
  const variant = internal ? 'note' : 'primary';
  return (
    <span className="flex">
      <Button type="submit" size="sm" variant={variant} disabled={disabled} className="rounded-r-none">
        {internal ? t('tickets.composer.add_note_button') : t('tickets.composer.send_reply')}
      </Button>
      <Menu
        trigger={
          <Button
            size="sm"
            variant={variant}
            disabled={disabled}
            aria-label={t('tickets.composer.more_ways_to_send')}
            className="rounded-l-none border-l-surface/40 px-1"
          >
            <ChevronDown aria-hidden />
          </Button>
        }
        entries={[
          {
            label: internal ? t('tickets.composer.add_note_and_resolve') : t('tickets.composer.send_and_resolve'),
            icon: CircleCheck,
            onSelect: () => onSend({ status: 'resolved' }),
          },
          {
            label: internal ? t('tickets.composer.add_note_and_wait') : t('tickets.composer.send_and_wait'),
            icon: Clock,
            onSelect: () => onSend({ status: 'waiting_for_customer' }),
          },
        ]}
      />
    </span>
  );
}
