import { apiTokenRules, problems, tokenPermissions, type ProblemCode } from '@tandem/contracts/values';
import { useState } from 'react';
import { Badge } from '../../../ui/Badge';
import { docsLink, DocsCode, DocsSection, Points, SettingsLink } from '../DocsSection';
import { DocsTable } from '../DocsTable';
import { calls, ifMatch, poll, type Call, type Language } from './calls';
import { CallSample } from './CallSample';
import responses from './responses.json';

const shownProblems: ProblemCode[] = [
  'request.malformed',
  'token.invalid',
  'token.expired',
  'token.inactive',
  'token.network_refused',
  'token.permission_missing',
  'token.not_allowed',
  'ticket.not_found',
  'ticket.external_id_taken',
  'request.precondition_failed',
  'request.too_large',
  'request.invalid',
  'idempotency.key_reused',
  'limit.exceeded',
  'service.unavailable',
];

const json = (value: unknown) => JSON.stringify(value, null, 2);
const envelope = json({
  success: true,
  data: '…',
  meta: { request_id: 'req-01932d5c9a4e', pagination: { page: 1, limit: 20, total: 57, next_cursor: 'WyIyMDI2LTExLTIzIl0' } },
});

export function RestApi({ base }: { base: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <>
      <DocsSection id="base-url" title="Base URL">
        <p>All paths below are relative to your organization’s own address. Requests and responses are JSON in UTF-8.</p>
        <DocsCode label="Base URL" code={base} />
        <p>
          The{' '}
          <a href="/api/docs" className={docsLink}>
            list of all operations
          </a>{' '}
          and the{' '}
          <a href="/api/v1/openapi.json" className={docsLink}>
            OpenAPI 3.1 document
          </a>{' '}
          are generated from the code.
        </p>
      </DocsSection>
      <Authentication />
      {calls.map((call) => (
        <CallSection key={call.id} call={call} base={base} language={language} onLanguageChange={setLanguage} />
      ))}
      <Conventions base={base} />
      <SafeChanges base={base} />
    </>
  );
}

const Authentication = () => (
  <DocsSection id="authentication" title="Authentication">
    <p>
      Send an API token with every request. Admins create tokens in <SettingsLink section="api" />. A token starts with{' '}
      <code>tnd_live_</code> and is shown once. Keep it on your server, never in a web page or a URL.
    </p>
    <DocsCode label="Authorization header" code="Authorization: Bearer tnd_live_…" />
    <DocsTable
      caption="Permissions of a token"
      head={['Permission', 'Allows', 'By default']}
      rows={Object.entries(tokenPermissions).map(([name, { description, byDefault }]) => [name, description, byDefault ? 'on' : 'off'])}
    />
    <Points>
      <li>Tickets, comments and changes that a token makes show its name in the timeline.</li>
      <li>A token can expire, and can be limited to your servers’ networks.</li>
      <li>To replace a token without downtime, rotate it: the old value stays valid for up to {apiTokenRules.maxOverlapHours} hours.</li>
    </Points>
  </DocsSection>
);

interface CallSectionProps {
  call: Call;
  base: string;
  language: Language;
  onLanguageChange: (language: Language) => void;
}
const CallSection = ({ call, ...sample }: CallSectionProps) => (
  <DocsSection id={call.id} title={call.title}>
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone={call.method === 'GET' ? 'blue' : call.method === 'POST' ? 'green' : 'amber'}>{call.method}</Badge>
      <code className="min-w-0 wrap-anywhere">{call.route.replace(/\{\w+\}/, '{id}')}</code>
      <Badge tone="plain">{call.permission}</Badge>
    </p>
    <p>{call.text}</p>
    {call.inputs && <DocsTable caption={`Parameters: ${call.title}`} head={['Name', 'Type', 'Meaning']} rows={call.inputs} />}
    <CallSample call={call} {...sample} />
    <h3 className="text-md font-medium">Response</h3>
    <DocsCode
      label={`Response: ${call.title}`}
      language="json"
      className="max-h-96 overflow-y-auto print:max-h-none"
      code={json(responses[call.id as keyof typeof responses])}
    />
  </DocsSection>
);

const Conventions = ({ base }: { base: string }) => (
  <>
    <DocsSection id="envelope" title="Responses">
      <p>
        A success has <code>data</code> and <code>meta</code>. Quote <code>request_id</code> when you contact us. Times are UTC in ISO 8601,
        and ids are UUIDs. New members can appear at any time, so ignore those that you don’t know.
      </p>
      <DocsCode label="Response of a list" language="json" code={envelope} />
    </DocsSection>
    <DocsSection id="pagination" title="Pagination">
      <p>
        Lists return 20 items unless you set <code>limit</code> (at most 100). To read the next page, request the URL in the{' '}
        <code>Link</code> header, or send <code>next_cursor</code> as <code>cursor</code> with the same filters. On the last page, the
        header is missing and <code>next_cursor</code> is null. <code>total</code> is exact up to 10,000; above that,{' '}
        <code>total_is_capped</code> is true.
      </p>
      <DocsCode label="Link header" code={`Link: <${base}/tickets?status=open&cursor=WyIyMDI2LTExLTIzIl0>; rel="next"`} />
    </DocsSection>
    <DocsSection id="errors" title="Errors">
      <p>
        Errors are <code>application/problem+json</code> (RFC 9457). Base decisions on <code>code</code>, which never changes; texts can
        change. <code>errors</code> names each invalid member. The{' '}
        <a href="/api/docs/errors" className={docsLink}>
          list of all codes
        </a>{' '}
        has the others.
      </p>
      <DocsCode label="Response of an invalid request" language="json" code={json(responses.problem)} />
      <DocsTable
        caption="Problem codes"
        head={['Code', 'Status', 'Meaning']}
        rows={shownProblems.map((code) => [code, String(problems[code].status), problems[code].title])}
      />
    </DocsSection>
  </>
);

const SafeChanges = ({ base }: { base: string }) => (
  <>
    <DocsSection id="idempotency" title="Safe retries">
      <p>
        Send an <code>Idempotency-Key</code> of your choice with every request that creates something. If the connection breaks, send the
        same request with the same key: within 24 hours you get the stored response with <code>Idempotent-Replayed: true</code>, and nothing
        is created twice. The same key with another body is rejected with <code>idempotency.key_reused</code>.
      </p>
    </DocsSection>
    <DocsSection id="etag" title="Concurrent changes">
      <p>
        <code>GET</code> of a ticket returns its version in <code>ETag</code>. Send it as <code>If-Match</code> when you update the ticket.
        If it was changed in the meantime, the update is rejected with 412 and nothing is overwritten. With <code>If-None-Match</code>, an
        unchanged ticket returns 304 without a body.
      </p>
      <DocsCode label="Update a known version" language="curl" code={ifMatch(base)} />
    </DocsSection>
    <DocsSection id="external-id" title="Your own ids">
      <p>
        Give each ticket that you import your own <code>external_id</code>. It is unique in your organization: a second ticket with the same
        id is rejected with <code>ticket.external_id_taken</code>, and <code>GET /tickets?external_id=order-1042</code> finds the first.
      </p>
    </DocsSection>
    <DocsSection id="polling" title="Polling for updates">
      <p>
        Read <code>GET /tickets?updated_since=2026-11-23T00:00:00.000Z&amp;sort=updated_oldest</code> and follow the pages. The last page
        has a <code>resume_cursor</code>: store it, and send it as <code>cursor</code> with the same filters next time. You get every ticket
        that changed since then.
      </p>
      <DocsCode label="First page of updates" language="curl" code={poll(base)} />
    </DocsSection>
  </>
);
