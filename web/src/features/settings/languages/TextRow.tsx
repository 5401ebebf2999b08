import type { CustomerText } from '@tandem/contracts';
import { directionOf, wordingLimits } from '@tandem/contracts/values';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { cn } from '../../../lib/cn';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Textarea } from '../../../ui/Input';
import { usePreviewWordingQuery } from './languages.api';

const previewDelayMs = 400;

/** The value after it has stayed the same for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), previewDelayMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface EditorProps {
  text: CustomerText;
  /** Undefined if the text is not changed; null restores the original. */
  draft: string | null | undefined;
  error: string | undefined;
  onChange: (draft: string | null) => void;
}

/** The original in the language and in English, and the text as customers see it. */
function Originals({ text: { language, original, english }, preview }: { text: CustomerText; preview: string }) {
  const dir = directionOf(language);
  return (
    <dl className="flex min-w-0 flex-col gap-3">
      <div>
        <dt className="font-medium">{t('settings.languages.original')}</dt>
        <dd className="mt-1 break-words whitespace-pre-wrap text-muted" dir={dir} lang={language}>
          {original}
        </dd>
      </div>
      {language !== 'en' && (
        <div>
          <dt className="font-medium">{t('settings.languages.in_english')}</dt>
          <dd className="mt-1 break-words whitespace-pre-wrap text-muted" lang="en">
            {english}
          </dd>
        </div>
      )}
      <div>
        <dt className="font-medium">{t('settings.languages.preview')}</dt>
        <dd
          className="mt-1 rounded-md border bg-sunken px-3 py-2 break-words whitespace-pre-wrap"
          dir={dir}
          lang={language}
          aria-live="polite"
        >
          {preview}
        </dd>
      </div>
    </dl>
  );
}

function Editor({ text, draft, error, onChange }: EditorProps) {
  const { language, original, placeholders } = text;
  const typed = draft === undefined ? text.text : draft;
  const shown = useSettled((typed ?? '').trim() === '' ? original : (typed ?? ''));
  const { data, error: refused } = usePreviewWordingQuery({ part: text.part, language, key: text.key, text: shown });
  const dir = directionOf(language);
  const values = placeholders.map((name) => (name.startsWith('<') ? name : `{${name}}`)).join(' ');
  return (
    <div className="grid gap-4 px-4 pb-4 md:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-3">
        <Field
          label={t('settings.languages.your_text')}
          hint={values && t('settings.languages.values_you_can_use_values', { values })}
          error={error ?? (refused ? fieldProblems(refused).find(({ path }) => path === 'text')?.message : undefined)}
        >
          {(control) => (
            <Textarea
              {...control}
              className="min-h-20"
              dir={dir}
              lang={language}
              maxLength={wordingLimits.text}
              placeholder={original}
              value={typed ?? ''}
              onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
            />
          )}
        </Field>
        {typed !== null && (
          <div>
            <Button size="sm" onClick={() => onChange(null)}>
              {t('settings.languages.restore_original')}
            </Button>
          </div>
        )}
      </div>
      <Originals text={text} preview={refused ? '–' : (data?.preview ?? '…')} />
    </div>
  );
}

/** One text: its current form, and on request the field that replaces it. */
export function TextRow({ label, ...props }: EditorProps & { label: string | undefined }) {
  const { text, draft, error } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const current = (draft === undefined ? text.text : draft) ?? text.original;
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        className="flex w-full items-center gap-3 px-4 py-2.5 text-start hover:bg-hover"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronDown className={cn('size-4 shrink-0 text-muted transition-transform', !isOpen && '-rotate-90')} aria-hidden />
        <span className="min-w-0 flex-1 truncate" dir="auto" lang={text.language}>
          {current}
        </span>
        {label && <Badge>{label}</Badge>}
        {error && <Badge tone="red">{t('settings.languages.not_saved')}</Badge>}
        {text.original_changed && <Badge tone="amber">{t('settings.languages.original_changed')}</Badge>}
        {draft !== undefined ? (
          <Badge tone="blue">{t('settings.languages.unsaved')}</Badge>
        ) : (
          text.text !== null && <Badge tone="accent">{t('settings.languages.your_text')}</Badge>
        )}
      </button>
      <div id={id}>{isOpen && <Editor {...props} />}</div>
    </li>
  );
}
