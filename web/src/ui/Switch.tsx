import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** Where what stands around it says it already, to the eye at least. */
  hideLabel?: boolean;
}

export function Switch({ label, checked, onChange, disabled, hideLabel }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled ?? false}
        className="h-5 w-9 shrink-0 rounded-full bg-control p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  );
}
