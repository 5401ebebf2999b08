import type { WebhookAttempt } from '@tandem/contracts';
import { useId, useState } from 'react';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { CodeBlock } from '../../../ui/CodeBlock';
import { msText } from './endpoint-labels';
import { prettyJson } from './delivery-curl';
import { Instant } from './Instant';

const headerText = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function Part({ title, label, code }: { title: string; label: string; code: string }) {
  return (
    <div>
      <p className="mb-1 text-xs font-medium text-muted">{title}</p>
      <CodeBlock label={label} code={code} className="max-h-64 overflow-y-auto" />
    </div>
  );
}

function Details({ attempt }: { attempt: WebhookAttempt }) {
  const { number, request_headers, response_headers, response_body, remote_address } = attempt;
  return (
    <div className="flex flex-col gap-3 px-3 pb-3">
      {remote_address && <p className="text-xs text-muted">{t('settings.webhooks.sent_to_remote_address', { remote_address })}</p>}
      <Part
        title={t('settings.webhooks.request_headers')}
        label={t('settings.webhooks.request_headers_of_attempt_number', { number })}
        code={headerText(request_headers)}
      />
      {response_headers && (
        <Part
          title={t('settings.webhooks.response_headers')}
          label={t('settings.webhooks.response_headers_of_attempt_number', { number })}
          code={headerText(response_headers)}
        />
      )}
      {response_body ? (
        <Part
          title={t('settings.webhooks.response_body_first_2_kb')}
          label={t('settings.webhooks.response_body_of_attempt_number', { number })}
          code={prettyJson(response_body) ?? response_body}
        />
      ) : (
        response_headers && <p className="text-xs text-muted">{t('settings.webhooks.response_had_no_body')}</p>
      )}
    </div>
  );
}

/** One attempt: its outcome in words, and on request its headers and response. */
export function Attempt({ attempt, isOpenAtFirst }: { attempt: WebhookAttempt; isOpenAtFirst: boolean }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { number, status, error, duration_ms, at } = attempt;
  return (
    <li className="rounded-md border">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md px-3 py-2 text-left hover:bg-hover"
      >
        <Badge tone={error === null ? 'green' : 'red'}>{status ?? t('settings.webhooks.no_response')}</Badge>
        <span className="font-medium">{t('settings.webhooks.attempt_number', { number })}</span>
        <span className="text-xs text-muted tabular">{msText(duration_ms)}</span>
        <Instant iso={at} className="ml-auto text-xs text-muted" />
        {error && <span className="w-full text-red-text">{error}</span>}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Details attempt={attempt} />}
      </div>
    </li>
  );
}
