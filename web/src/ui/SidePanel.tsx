import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../lib/return-focus';
import { t } from '../lib/staff-texts';
import { Button } from './Button';

interface SidePanelProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
}

/** Details at the right edge, over the page; the whole width on phones. Escape and a click outside close it. */
export function SidePanel({ open, onClose, title, description, footer, children }: SidePanelProps) {
  const onCloseAutoFocus = useReturnFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-overlay bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-2xl animate-overlay flex-col border-l border-line-strong bg-raised shadow-overlay"
        >
          <header className="flex items-start justify-between gap-4 border-b px-5 pt-4 pb-3">
            <div className="min-w-0">
              <Radix.Title className="truncate text-md font-semibold">{title}</Radix.Title>
              {description && <div className="mt-0.5 text-muted">{description}</div>}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon-sm" aria-label={t('ui.close')} className="-mt-0.5 -mr-1.5">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4" tabIndex={-1}>
            {children}
          </div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
