import type { ChangesWithComment } from '@tandem/contracts';
import { ChevronDown, CircleCheck, Clock } from 'lucide-react';
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
  const verb = internal ? 'Add note' : 'Send';
  return (
    <span className="flex">
      <Button type="submit" size="sm" variant={variant} disabled={disabled} className="rounded-r-none">
        {internal ? 'Add Note' : 'Send Reply'}
      </Button>
      <Menu
        trigger={
          <Button
            size="sm"
            variant={variant}
            disabled={disabled}
            aria-label="More ways to send"
            className="rounded-l-none border-l-surface/40 px-1"
          >
            <ChevronDown aria-hidden />
          </Button>
        }
        entries={[
          { label: `${verb} and resolve`, icon: CircleCheck, onSelect: () => onSend({ status: 'resolved' }) },
          { label: `${verb} and wait for customer`, icon: Clock, onSelect: () => onSend({ status: 'waiting_for_customer' }) },
        ]}
      />
    </span>
  );
}
