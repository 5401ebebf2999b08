import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';
import type { LazyPopupTrigger } from './LazyPopup';

export type MenuEntry =
  | { label: string; icon?: LucideIcon; onSelect: () => void; /** One of several choices: whether it is set. */ checked?: boolean }
  | { heading: ReactNode }
  | 'separator';

export interface MenuPopupProps {
  /** The button that opens the menu. */
  trigger: LazyPopupTrigger;
  entries: MenuEntry[];
  className?: string;
}

const item =
  'flex h-8 cursor-default items-center gap-2 rounded-sm px-2 outline-none select-none data-[highlighted]:bg-hover data-[disabled]:opacity-50 touch:h-10 [&>svg]:size-4 [&>svg]:text-muted';

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'separator') return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
  if ('heading' in entry) return <Radix.Label className="px-2 py-1.5 text-xs text-muted">{entry.heading}</Radix.Label>;
  const { label, icon: Icon, onSelect, checked } = entry;
  if (checked === undefined) {
    return (
      <Radix.Item className={item} onSelect={onSelect}>
        {Icon && <Icon aria-hidden />}
        {label}
      </Radix.Item>
    );
  }
  return (
    <Radix.RadioItem className={item} value={label} onSelect={onSelect}>
      {Icon && <Icon aria-hidden />}
      {label}
      <Radix.ItemIndicator className="ml-auto pl-3">
        <Check className="size-3.5 text-accent-text" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

/** The menu itself, loaded on demand by Menu.tsx and therefore open when it mounts. */
export function MenuPopup({ trigger, entries, className }: MenuPopupProps) {
  const chosen = entries.find((entry) => typeof entry === 'object' && 'checked' in entry && entry.checked);
  return (
    <Radix.Root defaultOpen modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={cn('z-50 min-w-44 animate-pop rounded-lg border border-line-strong bg-raised p-1 shadow-overlay', className)}
        >
          <Radix.RadioGroup value={chosen && typeof chosen === 'object' && 'label' in chosen ? chosen.label : ''}>
            {entries.map((entry, index) => (
              <Entry key={index} entry={entry} />
            ))}
          </Radix.RadioGroup>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
