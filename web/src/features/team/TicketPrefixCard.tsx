import { useId } from 'react';
import { createExternalStore } from '../../lib/external-store';
import { notify } from '../../lib/notify';
import { fieldProblems, isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Rich } from '../../ui/Rich';
import { SaveBar } from '../../ui/SaveBar';
import { Skeleton } from '../../ui/Skeleton';
import { useReadTicketPrefixQuery, useSaveTicketPrefixMutation } from './team.api';

const pattern = /^[A-Z]{2,5}$/;

/** The server's error about this prefix from saving. */
const refusalOf = (error: unknown): string | undefined =>
  fieldProblems(error)[0]?.message ??
  (isProblem(error) && error.code === 'ticket_prefix.in_use' ? messageOf(error, t('team.tickets_already_use_this_prefix')) : undefined);

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedPrefix = createExternalStore<string | null>(() => null);

function PrefixForm({ stored }: { stored: string }) {
  const typed = unsavedPrefix.use();
  const [save, { error, isLoading, reset }] = useSaveTicketPrefixMutation();
  const prefix = (typed ?? stored).trim();
  const isValid = pattern.test(prefix);
  const submit = async () => {
    const answer = await save({ prefix });
    if (answer.error) return refusalOf(answer.error) ?? notify.problem(answer.error, t('team.failed_to_save_settings'));
    if (unsavedPrefix.get() === typed) unsavedPrefix.set(null);
    notify.success(t('team.settings_saved'));
  };
  const change = (value: string | null) => {
    unsavedPrefix.set(value?.toUpperCase() ?? null);
    if (error) reset();
  };
  return (
    <form
      className="flex flex-col items-start gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={t('team.prefix')}
        required
        error={refusalOf(error) ?? (typed !== null && !isValid ? t('team.enter_2_to_5_letters') : undefined)}
        hint={t('team.ticket_numbers_preview', { value: isValid ? prefix : stored })}
        className="w-full max-w-md"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={5}
            value={typed ?? stored}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
      <SaveBar
        label={t('team.save_prefix')}
        changed={prefix === stored ? [] : [t('team.prefix')]}
        busy={isLoading}
        isInvalid={!isValid}
        onDiscard={() => change(null)}
      />
    </form>
  );
}

/** The prefix of ticket numbers: editable until the first ticket, read-only from then on. */
export function TicketPrefixCard() {
  const id = useId();
  const { data, isFetching, isError, refetch } = useReadTicketPrefixQuery();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.ticket_numbers')} />
      {!data && isError && <ErrorNote title={t('team.failed_to_load_ticket_prefix')} onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !isError && <Skeleton className="m-4 h-8 w-full max-w-md" />}
      {data?.editable && <PrefixForm stored={data.prefix} />}
      {data && !data.editable && (
        <p className="p-4 text-muted">
          <Rich
            text={t('team.ticket_numbers_are_fixed', { prefix: data.prefix })}
            tags={{ b: () => <b className="font-semibold">{data.prefix}-0001</b> }}
          />
        </p>
      )}
    </Card>
  );
}
