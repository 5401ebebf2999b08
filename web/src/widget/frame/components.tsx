/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { localized, messageOf, type ApiProblem } from '../../lib/problem';
import { useTexts, type WidgetTranslate } from './texts';

const pictures = { close: 'M6 6l12 12M18 6L6 18', back: 'M14 6l-6 6 6 6' };

export const Icon = ({ name }: { name: keyof typeof pictures }) => (
  <svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true" class={name}>
    <path d={pictures[name]} />
  </svg>
);

export interface FieldControl {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}
interface FieldProps {
  label: string;
  optional?: boolean;
  hint?: string | null;
  error?: string | undefined;
  children: (control: FieldControl) => ComponentChildren;
}

/** A label above its control, with the error below. */
export function Field({ label, optional, hint, error, children }: FieldProps) {
  const t = useTexts();
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional">{t('form.optional')}</span>}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy })}
      {error && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

export const Note = ({ tone, children }: { tone: 'bad' | 'good' | 'plain'; children: ComponentChildren }) => (
  <div class={`note ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

/** Not `disabled` while busy: it keeps the keyboard focus. */
export const SendButton = ({ busy, children }: { busy: boolean; children: ComponentChildren }) => (
  <button type="submit" class="primary" aria-disabled={busy || undefined} onClick={(event) => busy && event.preventDefault()}>
    {children}
  </button>
);

export function Failed({ title, problem, onRetry }: { title: string; problem: ApiProblem; onRetry: () => void }) {
  const t = useTexts();
  return (
    <div class="outcome" role="alert">
      <h2>{title}</h2>
      <p>{errorText(problem, t)}</p>
      <button type="button" class="secondary" onClick={onRetry}>
        {t('frame.try_again')}
      </button>
    </div>
  );
}

/** The server's refusal as a message for visitors. */
export function errorText(problem: ApiProblem, t: WidgetTranslate): string {
  const seconds = problem.retry_after_seconds;
  if (problem.status === 429 && seconds && seconds > 90) return t('limit.wait', { minutes: Math.ceil(seconds / 60) });
  return messageOf(localized(problem), t('frame.try_again_text'));
}

/** Focuses the first invalid control, after it has been rendered as invalid. */
export const focusFirstError = (form: HTMLFormElement) => setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
