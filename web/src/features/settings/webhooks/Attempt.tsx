import type { WebhookAttempt } from '@tandem/contracts';
import { useId, useState } from 'react';
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
      {remote_address && <p className="text-xs text-muted">Sent to {remote_address}</p>}
      <Part title="Request headers" label={`Request headers of attempt ${number}`} code={headerText(request_headers)} />
      {response_headers && (
        <Part title="Response headers" label={`Response headers of attempt ${number}`} code={headerText(response_headers)} />
      )}
      {response_body ? (
        <Part
          title="Response body (the first 2 KB)"
          label={`Response body of attempt ${number}`}
          code={prettyJson(response_body) ?? response_body}
        />
      ) : (
        response_headers && <p className="text-xs text-muted">The response had no body.</p>
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
        <Badge tone={error === null ? 'green' : 'red'}>{status ?? 'No answer'}</Badge>
        <span className="font-medium">Attempt {number}</span>
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
