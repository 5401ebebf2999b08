import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';

export function Switch({ label, checked, onChange }: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id}>{label}</label>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        className="h-5 w-9 shrink-0 rounded-full bg-control p-0.5 transition-colors data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-4 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  );
}
