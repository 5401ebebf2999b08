import { useId } from 'react';

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** Hides the label visually where the surrounding content already shows it. */
  hideLabel?: boolean;
}

export function Switch({ label, checked, onChange, disabled, hideLabel }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        disabled={disabled ?? false}
        onClick={() => onChange(!checked)}
        className="group h-5 w-9 shrink-0 rounded-full bg-control p-0.5 transition-colors disabled:opacity-50 aria-checked:bg-accent"
      >
        <span className="block size-4 rounded-full bg-surface transition-transform group-aria-checked:translate-x-4" />
      </button>
    </div>
  );
}
