import { ticketLimits } from '@tandem/contracts/values';
import { Field } from '../../ui/Field';
import { portalInput } from './PortalFrame';

interface EmailFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string;
  name?: string;
}

/** The customer's email address, with the phone's email keyboard and autofill. */
export function EmailField({ value, onChange, error, hint, name = 'email' }: EmailFieldProps) {
  return (
    <Field label="Email" required error={error} hint={hint}>
      {(control) => (
        <input
          {...control}
          name={name}
          type="email"
          inputMode="email"
          autoComplete="email"
          className={portalInput}
          maxLength={ticketLimits.email}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
