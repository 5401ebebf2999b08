import { ticketLimits } from '@tandem/contracts/values';
import { Field } from '../../ui/Field';
import { useTexts } from './language/texts';
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
  const t = useTexts();
  return (
    <Field label={t('email.label')} required error={error} hint={hint}>
      {(control) => (
        <input
          {...control}
          name={name}
          type="email"
          inputMode="email"
          autoComplete="email"
          dir="ltr"
          className={portalInput}
          maxLength={ticketLimits.email}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
