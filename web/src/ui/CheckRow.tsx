import { useId, type ReactNode } from 'react';

interface CheckRowProps {
  label: string;
  description?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A checkbox with its label and a description below. */
export function CheckRow({ label, description, checked, onChange }: CheckRowProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={description ? `${id}-description` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent touch:size-5"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {description && (
          <p id={`${id}-description`} className="text-xs text-pretty text-muted">
            {description}
          </p>
        )}
      </div>
    </div>
  );
}
