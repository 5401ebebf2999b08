import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { useReturnFocus } from '../lib/return-focus';
import { t } from '../lib/staff-texts';

interface CommandDialogProps {
  /** Accessible name: the purpose of the dialog. */
  label: string;
  placeholder: string;
  onClose: () => void;
  /** The controlled text, if the choices depend on it; otherwise cmdk filters the choices by its own text. */
  text?: string;
  onText?: (text: string) => void;
  /** The score of a choice for the text; 0 hides it. Groups and their choices are sorted by it. */
  filter?: (value: string, text: string) => number;
  /** Shown when no choice matches the text; `null` where the choices come from a search, which cmdk does not count. */
  empty?: ReactNode;
  children: ReactNode;
}

/**
 * Selects the first choice until the user moves to another one. cmdk keeps the choice that came first in time, so that Enter would open a
 * result that was found early instead of the better one above it.
 */
function useFirstChoice() {
  const isMovedRef = useRef(false);
  const [value, setValue] = useState('');
  const list = useCallback((node: HTMLDivElement) => {
    const observer = new MutationObserver(() => {
      if (isMovedRef.current) return;
      setValue(node.querySelector<HTMLElement>('[cmdk-item]:not([aria-disabled=true])')?.dataset.value ?? '');
    });
    observer.observe(node, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  const setIsMoved = (isMoved: boolean) => void (isMovedRef.current = isMoved);
  return { list, value, setValue, setIsMoved };
}

/** A list of choices over the page: type to filter, move with the arrow keys, choose with Enter. */
export function CommandDialog({
  label,
  placeholder,
  onClose,
  text,
  onText,
  filter,
  empty = t('ui.nothing_found'),
  children,
}: CommandDialogProps) {
  const onCloseAutoFocus = useReturnFocus(true);
  const input = useRef<HTMLInputElement>(null);
  const { list, value, setValue, setIsMoved } = useFirstChoice();
  // Radix would select the text that was typed while the dialog was opening, and the next key would replace it.
  const onOpenAutoFocus = (event: Event) => {
    event.preventDefault();
    input.current?.focus();
    input.current?.setSelectionRange(input.current.value.length, input.current.value.length);
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-overlay bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 animate-overlay overflow-hidden rounded-xl border border-line-strong bg-raised shadow-overlay"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Command
            label={label}
            loop
            value={value}
            onValueChange={setValue}
            onKeyDown={({ key, ctrlKey }) => (/^(Arrow|Home|End)/.test(key) || ctrlKey) && setIsMoved(true)}
            {...(filter ? { filter } : {})}
          >
            <div className="flex items-center gap-2.5 border-b px-4">
              <Search className="size-4 shrink-0 text-faint" aria-hidden />
              <Command.Input
                ref={input}
                placeholder={placeholder}
                {...(text === undefined ? {} : { value: text })}
                onValueChange={(typed) => {
                  setIsMoved(false);
                  onText?.(typed);
                }}
                className="h-11 w-full bg-transparent text-md outline-none placeholder:text-faint touch:text-base"
              />
            </div>
            <Command.List ref={list} onPointerMove={() => setIsMoved(true)} className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
              {empty !== null && <Command.Empty className="px-3 py-8 text-center text-muted">{empty}</Command.Empty>}
              {children}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const group =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted';
export const CommandGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <Command.Group heading={title} className={group}>
    {children}
  </Command.Group>
);

interface CommandItemProps {
  /** Unique among the choices; also the text that the filter matches. */
  value: string;
  onSelect: () => void;
  mark?: ReactNode;
  /** Content at the end of the line, such as a shortcut or a number. */
  end?: ReactNode;
  children: ReactNode;
}
export const CommandItem = ({ value, onSelect, mark, end, children }: CommandItemProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 select-none data-[selected=true]:bg-hover touch:h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
  >
    {mark}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {end && <span className="flex shrink-0 items-center gap-1 text-xs text-muted">{end}</span>}
  </Command.Item>
);
