import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { cn } from '../lib/cn';
import { uiText } from '../lib/ui-texts';

/** Attributes that connect a control with its field's label, hint and error. */
export interface FieldControl {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

interface FieldProps {
  label: string;
  /** Hides the label visually where the surrounding content already shows it. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  optional?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}

/** A label above its control, with the hint and the error below. */
export function Field({ label, hideLabel, hint, error, required, optional, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={cn('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'flex items-baseline gap-1.5 font-medium'}>
        {label}
        {optional && <span className="text-xs font-normal text-faint">{uiText('optional')}</span>}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-required': required || undefined,
      })}
      {error && (
        <p id={errorId} className="flex items-center gap-1 text-xs text-red-text">
          <CircleAlert className="size-3.5 shrink-0" aria-hidden />
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
