import { Field } from './Field';
import { Select } from './Select';

const hours = [0, 1, 4, 12, 24] as const;
const label = (count: number): string => (count === 0 ? 'Stops now' : count === 1 ? '1 hour' : `${count} hours`);

/** How long an old token value or secret stays valid after a rotation. */
export function OverlapField({ label: name, value, onChange }: { label: string; value: number; onChange: (hours: number) => void }) {
  return (
    <Field label={name} hint="Choose enough time to replace it everywhere.">
      {(control) => (
        <Select
          {...control}
          value={String(value)}
          options={hours.map((count) => ({ value: String(count), label: label(count) }))}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </Field>
  );
}
