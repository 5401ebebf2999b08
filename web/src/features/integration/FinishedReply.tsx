import { defaultFinishedReply, finishedReplyVariables } from '@tandem/contracts/values';
import { useId, useRef } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Textarea } from '../../ui/Input';

const maxLength = 5_000;
const example: Record<(typeof finishedReplyVariables)[number], string> = {
  customer_name: t('integration.jonas_weber'),
  subject: t('integration.order_arrived_with_wrong_grind'),
  ticket_number: 'NC-0042',
  task_title: t('integration.sample_task_title'),
};
const filledIn = (text: string) => finishedReplyVariables.reduce((filled, name) => filled.replaceAll(`{${name}}`, example[name]), text);

function Preview({ text }: { text: string }) {
  const id = useId();
  return (
    <div>
      <p id={id} className="mb-1 text-xs font-medium text-muted">
        {t('integration.preview')}
      </p>
      <p aria-labelledby={id} role="note" dir="auto" className="rounded-md border bg-sunken px-3 py-2 whitespace-pre-line">
        {filledIn(text.trim() === '' ? defaultFinishedReply : text)}
      </p>
    </div>
  );
}

interface FinishedReplyProps {
  value: string;
  onChange: (text: string) => void;
}

/** Inserts a placeholder at the cursor, or at the end if the text has not been focused yet, and moves the cursor after it. */
function useInsert({ value, onChange }: FinishedReplyProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const wasIn = useRef(false);
  const insert = (word: string) => {
    const [from, to] = wasIn.current && box.current ? [box.current.selectionStart, box.current.selectionEnd] : [value.length, value.length];
    onChange(`${value.slice(0, from)}${word}${value.slice(to)}`.slice(0, maxLength));
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(from + word.length, from + word.length);
    });
  };
  return { insert, bind: { ref: box, onFocus: () => void (wasIn.current = true) } };
}

/** Template that the composer suggests when the task is finished. Nothing is sent to the customer before an agent sends it. */
export function FinishedReply(props: FinishedReplyProps) {
  const { value, onChange } = props;
  const { insert, bind } = useInsert(props);
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('integration.drafted_reply_to_customer')} hint={t('integration.what_resolution_text_is_for')}>
        {(control) => (
          <Textarea
            {...control}
            {...bind}
            dir="auto"
            maxLength={maxLength}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label={t('integration.insert_into_reply')}>
        {finishedReplyVariables.map((name) => (
          <Button key={name} size="sm" className="font-mono" onClick={() => insert(`{${name}}`)}>
            {`{${name}}`}
          </Button>
        ))}
        {value !== defaultFinishedReply && (
          <Button size="sm" variant="ghost" onClick={() => onChange(defaultFinishedReply)}>
            {t('integration.back_to_our_text')}
          </Button>
        )}
      </div>
      <Preview text={value} />
    </div>
  );
}
