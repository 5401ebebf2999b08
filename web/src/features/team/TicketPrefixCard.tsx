import { useId } from 'react';
import { createExternalStore } from '../../lib/external-store';
import { notify } from '../../lib/notify';
import { fieldProblems, isProblem, messageOf } from '../../lib/problem';
import { Card, CardHeader } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { SaveBar } from '../../ui/SaveBar';
import { Skeleton } from '../../ui/Skeleton';
import { useReadTicketPrefixQuery, useSaveTicketPrefixMutation } from './team.api';

const pattern = /^[A-Z]{2,5}$/;

/** The server's error about this prefix from saving. */
const refusalOf = (error: unknown): string | undefined =>
  fieldProblems(error)[0]?.message ??
  (isProblem(error) && error.code === 'ticket_prefix.in_use' ? messageOf(error, 'Tickets already use this prefix') : undefined);

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedPrefix = createExternalStore<string | null>(() => null);

function PrefixForm({ stored }: { stored: string }) {
  const typed = unsavedPrefix.use();
  const [save, { error, isLoading, reset }] = useSaveTicketPrefixMutation();
  const prefix = (typed ?? stored).trim();
  const isValid = pattern.test(prefix);
  const submit = async () => {
    const answer = await save({ prefix });
    if (answer.error) return refusalOf(answer.error) ?? notify.problem(answer.error, 'Failed to save settings');
    if (unsavedPrefix.get() === typed) unsavedPrefix.set(null);
    notify.success('Settings saved!');
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
        label="Prefix"
        required
        error={refusalOf(error) ?? (typed !== null && !isValid ? 'Enter 2 to 5 letters' : undefined)}
        hint={`Your tickets will be numbered ${isValid ? prefix : stored}-0001, ${isValid ? prefix : stored}-0002 and so on. You can change this until the first ticket arrives.`}
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
        label="Save prefix"
        changed={prefix === stored ? [] : ['Prefix']}
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
      <CardHeader id={id} title="Ticket numbers" />
      {!data && isError && <ErrorNote title="Failed to load the ticket prefix" onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !isError && <Skeleton className="m-4 h-8 w-full max-w-md" />}
      {data?.editable && <PrefixForm stored={data.prefix} />}
      {data && !data.editable && (
        <p className="p-4 text-muted">
          Your tickets are numbered <b className="font-semibold">{data.prefix}-0001</b>, {data.prefix}-0002 and so on. The prefix can no
          longer change, because tickets already use it.
        </p>
      )}
    </Card>
  );
}
