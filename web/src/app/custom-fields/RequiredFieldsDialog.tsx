import type { CustomFieldChanges } from '@tandem/contracts';
import { storedFieldValue } from '@tandem/contracts/values';
import { useEffect, useId, useRef, useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { FieldInput, fieldInputProblem } from './FieldInput';
import type { FieldsRequest } from './required-fields';

type Problems = Partial<Record<string, string>>;

function problemsOf({ fields }: FieldsRequest, values: CustomFieldChanges): Problems {
  const found = fields.map((field) => {
    const value = storedFieldValue(values[field.key]);
    const isMissing = field.required_to_resolve && value === null;
    return [field.key, isMissing ? t('app.fields.enter_value') : fieldInputProblem(field, value)] as const;
  });
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

function FieldsForm({ request, id }: { request: FieldsRequest; id: string }) {
  const { fields, answer } = request;
  const [values, setValues] = useState<CustomFieldChanges>(request.values ?? {});
  const [problems, setProblems] = useState<Problems>(request.problems ?? {});
  const [checks, setChecks] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  // The first field, also if it is no text field; after a check the first one with a problem, but not while the user corrects another one.
  useEffect(() => {
    const first = checks === 0 ? 'input, textarea, button' : '[aria-invalid=true]';
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, [checks]);
  const submit = () => {
    const found = problemsOf(request, values);
    setProblems(found);
    setChecks((count) => count + 1);
    if (Object.keys(found).length > 0) return;
    answer(Object.fromEntries(fields.map(({ key }) => [key, storedFieldValue(values[key])])));
  };
  return (
    <form
      ref={form}
      id={id}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          required
          value={values[field.key]}
          problem={problems[field.key]}
          onChange={(value) => {
            setValues((now) => ({ ...now, [field.key]: value }));
            setProblems(({ [field.key]: _solved, ...others }) => others);
          }}
        />
      ))}
    </form>
  );
}

/** Asks for the fields without which a ticket cannot get a status. */
export function RequiredFieldsDialog({ request }: { request: FieldsRequest }) {
  const { status, fields, answer } = request;
  const formId = useId();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && answer()}
      title={t('app.fields.fill_in_before', { status })}
      description={t('app.fields.why_required', { status, count: fields.length })}
      footer={
        <>
          <Button onClick={() => answer()}>{t('app.fields.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary">
            {t('app.fields.save_with_status', { status })}
          </Button>
        </>
      }
    >
      <FieldsForm request={request} id={formId} />
    </Dialog>
  );
}
