import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';
import { useReturnFocus } from '../lib/return-focus';
import { t } from '../lib/staff-texts';
import { Button } from './Button';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  footer?: ReactNode;
  /** For two-column forms and lists. */
  wide?: boolean;
  className?: string;
  children?: ReactNode;
}

/** If the content begins with a text field, it gets the focus. Otherwise Radix focuses the close button. */
function focusFirstField(event: Event): void {
  const body = (event.currentTarget as HTMLElement).querySelector('[data-body]');
  const first = body?.querySelector<HTMLElement>('input:enabled, textarea:enabled, select:enabled, button:enabled, a[href]');
  if (!first?.matches('textarea:read-write, input:read-write:not([type=checkbox], [type=radio], [type=file])')) return;
  event.preventDefault();
  first.focus();
}

/** Traps the focus while open and returns it afterwards. Escape and a click outside close it. */
export function Dialog({ open, onOpenChange, title, description, footer, wide, className, children }: DialogProps) {
  const onCloseAutoFocus = useReturnFocus(open);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-overlay bg-scrim" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={onCloseAutoFocus}
          className={cn(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-2rem)] -translate-x-1/2 animate-overlay flex-col rounded-xl border border-line-strong bg-raised shadow-overlay',
            wide ? 'max-w-3xl' : 'max-w-lg',
            className,
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div>
              <Radix.Title className="text-md font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="mt-0.5 text-muted">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <Button variant="ghost" size="icon-sm" aria-label={t('ui.close')} className="-mt-0.5 -mr-1.5">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
          <div data-body className="min-h-0 overflow-y-auto px-5 pb-5" tabIndex={-1}>
            {children}
          </div>
          {footer && <footer className="flex justify-end gap-2 border-t px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
