import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookEventLabels, webhookEventTypes } from '@tandem/contracts/values';
import { CircleAlert } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { ConditionEditor } from '../../../app/conditions/ConditionEditor';
import { useFocusFirstError } from '../../../lib/focus-error';
import { notify } from '../../../lib/notify';
import { problemsByInput } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { CheckRow } from '../../../ui/CheckRow';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { endpointBody, endpointDraft, endpointErrors, hasRowErrors, type EndpointDraft, type EndpointErrors } from './endpoint-form';
import { useCreateWebhookEndpointMutation, useUpdateWebhookEndpointMutation } from './webhooks.api';

interface PartProps {
  draft: EndpointDraft;
  errors: EndpointErrors;
  set: (part: Partial<EndpointDraft>) => void;
}

function FormError({ id, children }: { id?: string; children: string }) {
  return (
    <p id={id} className="flex items-center gap-1 text-xs text-red-text">
      <CircleAlert className="size-3.5 shrink-0" aria-hidden />
      {children}
    </p>
  );
}

function Events({ draft, errors, set }: PartProps) {
  const id = useId();
  const choices = [
    { value: true, label: t('settings.webhooks.all_events_including_new_ones') },
    { value: false, label: t('settings.webhooks.only_these') },
  ];
  return (
    <fieldset aria-describedby={errors.events && id} className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">{t('settings.webhooks.events')}</legend>
      {choices.map(({ value, label }) => (
        <label key={label} className="flex items-center gap-2.5">
          <input
            type="radio"
            name={`${id}-events`}
            checked={draft.allEvents === value}
            onChange={() => set({ allEvents: value })}
            className="size-4 accent-accent"
          />
          {label}
        </label>
      ))}
      {!draft.allEvents && (
        <div className="grid gap-x-4 gap-y-2.5 rounded-md border bg-sunken p-3 sm:grid-cols-2">
          {webhookEventTypes.map((event) => (
            <CheckRow
              key={event}
              label={event}
              description={webhookEventLabels[event]}
              checked={draft.events.includes(event)}
              onChange={(on) => set({ events: on ? [...draft.events, event] : draft.events.filter((each) => each !== event) })}
            />
          ))}
        </div>
      )}
      {errors.events && <FormError id={id}>{errors.events}</FormError>}
    </fieldset>
  );
}

const payloadOptions = [
  { value: 'full', label: t('settings.webhooks.full_with_ticket') },
  { value: 'thin', label: t('settings.webhooks.thin_format') },
];

function Fields(props: PartProps & { showsErrors: boolean }) {
  const { draft, errors, set, showsErrors } = props;
  return (
    <>
      <Field label={t('settings.webhooks.url')} required error={errors.url} hint={t('settings.webhooks.what_url_receives')}>
        {(control) => (
          <Input
            {...control}
            type="url"
            maxLength={2_000}
            placeholder="https://example.com/webhooks/tandem"
            value={draft.url}
            onChange={(event) => set({ url: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('settings.webhooks.description')} optional error={errors.description}>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            placeholder={t('settings.webhooks.order_system')}
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Events {...props} />
      {draft.condition ? (
        <ConditionEditor use="webhook" draft={draft.condition} showsErrors={showsErrors} onChange={(condition) => set({ condition })} />
      ) : (
        <p className="text-muted">{t('settings.webhooks.this_endpoint_has_nested_conditions')}</p>
      )}
      {errors.condition && !hasRowErrors(draft) && <FormError>{errors.condition}</FormError>}
      <Field label={t('settings.webhooks.body')}>
        {(control) => (
          <Select
            {...control}
            value={draft.payload}
            options={payloadOptions}
            onChange={(payload) => set({ payload: payload as EndpointDraft['payload'] })}
          />
        )}
      </Field>
      <CheckRow
        label={t('settings.webhooks.include_internal_notes')}
        description={t('settings.webhooks.what_including_notes_does')}
        checked={draft.include_internal_notes}
        onChange={(include_internal_notes) => set({ include_internal_notes })}
      />
    </>
  );
}

interface EndpointDialogProps {
  endpoint?: WebhookEndpoint | undefined;
  onClose: () => void;
  onCreated: (endpoint: WebhookEndpoint, secret: string) => void;
}

function useSave({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const [create, creation] = useCreateWebhookEndpointMutation();
  const [update, change] = useUpdateWebhookEndpointMutation();
  const save = async (draft: EndpointDraft): Promise<EndpointErrors> => {
    const body = endpointBody(draft);
    const answer = endpoint ? await update({ id: endpoint.id, changes: body }) : await create(body);
    if (answer.data) {
      if ('secret' in answer.data) onCreated(answer.data.endpoint, answer.data.secret);
      else notify.success(t('settings.webhooks.webhook_endpoint_saved'));
      if (endpoint) onClose();
      return {};
    }
    const refused = problemsByInput(answer.error);
    if (Object.keys(refused).length === 0) notify.problem(answer.error, t('settings.webhooks.failed_to_save_endpoint'));
    return refused;
  };
  return { save, isSaving: creation.isLoading || change.isLoading };
}

/** Creates or changes an endpoint. */
export function EndpointDialog(props: EndpointDialogProps) {
  const { endpoint, onClose } = props;
  const form = useId();
  const [draft, setDraft] = useState(() => endpointDraft(endpoint));
  const [errors, setErrors] = useState<EndpointErrors>({});
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { save, isSaving } = useSave(props);
  useFocusFirstError(form, errors);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    const found = endpointErrors(draft);
    setErrors(found);
    if (Object.keys(found).length === 0) setErrors(await save(draft));
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.webhooks.cancel')}</Button>
      <Button type="submit" form={form} variant="primary" busy={isSaving}>
        {endpoint ? t('settings.webhooks.save') : t('settings.webhooks.create_endpoint')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
      title={endpoint ? t('settings.webhooks.edit_endpoint') : t('settings.webhooks.new_webhook_endpoint')}
      footer={footer}
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5 pt-1">
        <Fields draft={draft} errors={errors} showsErrors={isSubmitted} set={(part) => setDraft({ ...draft, ...part })} />
      </form>
    </Dialog>
  );
}
