import { Check } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { SelectFace, selectClasses, type SelectOption, type SelectProps } from './SelectFace';

/**
 * The closed control. Radix changes the value when a letter is typed on it; here letters are shortcuts of the page, so only the keys that
 * open the list are passed to Radix. The event is not cancelled, because the shortcut handler needs it.
 */
function Trigger({ onKeyDown, ...props }: ComponentProps<'button'>) {
  return <button {...props} onKeyDown={(event) => (event.key.length > 1 || event.key === ' ') && onKeyDown?.(event)} />;
}

const item = (option: SelectOption) => (
  <Radix.Item
    key={option.value}
    value={option.value}
    className="flex h-8 cursor-default items-center gap-2 rounded-sm px-2 outline-none select-none data-[highlighted]:bg-hover touch:h-10"
  >
    {option.mark}
    <Radix.ItemText>{option.label}</Radix.ItemText>
    <Radix.ItemIndicator className="ml-auto pl-3">
      <Check className="size-3.5 text-accent-text" aria-hidden />
    </Radix.ItemIndicator>
  </Radix.Item>
);

function inGroups(options: readonly SelectOption[]) {
  const groups: { group: string | undefined; members: SelectOption[] }[] = [];
  for (const option of options) {
    const last = groups.at(-1);
    if (last && last.group === option.group) last.members.push(option);
    else groups.push({ group: option.group, members: [option] });
  }
  return groups;
}

interface SelectPopupProps extends SelectProps {
  onOpenChange: (open: boolean) => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** The list, loaded on demand by Select.tsx. */
export function SelectPopup({ onCloseAutoFocus, ...props }: SelectPopupProps) {
  const {
    value,
    onChange,
    options,
    label,
    open,
    onOpenChange,
    disabled,
    look: _look,
    active: _active,
    className: _className,
    placeholder: _placeholder,
    ...rest
  } = props;
  return (
    <Radix.Root
      value={value}
      onValueChange={onChange}
      {...(open === undefined ? { defaultOpen: true } : { open })}
      onOpenChange={onOpenChange}
      disabled={disabled}
    >
      <Radix.Trigger asChild aria-label={label} className={selectClasses(props)} {...rest}>
        <Trigger>
          <SelectFace {...props} />
        </Trigger>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          onCloseAutoFocus={onCloseAutoFocus}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[min(20rem,var(--radix-select-content-available-height))] min-w-[max(11rem,var(--radix-select-trigger-width))] animate-pop overflow-hidden rounded-lg border border-line-strong bg-raised shadow-overlay"
        >
          <Radix.Viewport className="p-1">
            {inGroups(options).map(({ group, members }) =>
              group === undefined ? (
                members.map(item)
              ) : (
                <Radix.Group key={group} className="mt-1 border-t pt-1">
                  <Radix.Label className="px-2 py-1 text-xs font-medium text-muted">{group}</Radix.Label>
                  {members.map(item)}
                </Radix.Group>
              ),
            )}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
