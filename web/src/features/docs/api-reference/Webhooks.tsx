import { sentEventLabels, webhookRules } from '@tandem/contracts/values';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { verificationSnippets } from '../../../lib/verification-snippets';
import { Tab, TabPanel, Tabs, TabsList } from '../../../ui/Tabs';
import { docsLink, DocsCode, DocsSection, Points } from '../DocsSection';
import { DocsTable } from '../DocsTable';
import { retryTable } from './retry-table';
import responses from './responses.json';

const headers: [string, string][] = [
  ['webhook-id', 'Equal to id in the body, and the same whenever the event is sent again'],
  ['webhook-timestamp', 'When this attempt was signed, in Unix seconds'],
  ['webhook-signature', 'v1, and the base64 HMAC-SHA256 of id.timestamp.body. After you rotate the secret, a second one follows a space.'],
  ['X-Tandem-Signature', 'sha256= and the hex HMAC-SHA256 of the body. Its key is the whole secret as text, including whsec_.'],
  ['X-Tandem-Event', 'Equal to event in the body'],
  ['webhook-version', 'The dated version of the body. Your endpoint keeps the version that it was created with.'],
  ['webhook-replay', '1 if the event is part of a replay'],
];
const events = Object.entries(sentEventLabels);
const body = responses['list-changes'].data.events[0];

const hours = (count: number) => `${count} hours`;
const { warnAfterHours, disableAfterHours, retentionDays, timeoutMs, maxBodyBytes, maxEndpoints } = webhookRules;

const Settings = () => (
  <Link to="/settings?tab=webhooks" className={docsLink}>
    Settings, Webhooks
  </Link>
);

export const Webhooks = () => (
  <>
    <Messages />
    <Verify />
    <Delivery />
  </>
);

const Messages = () => (
  <>
    <DocsSection id="endpoints" title="Endpoints">
      <p>
        Tandem sends each event to your endpoints as a <code>POST</code> request. Admins add up to {maxEndpoints} endpoints in <Settings />.
        The URL must be public and start with <code>https://</code>. An endpoint can receive some events only, or those of tickets that
        match a filter. Internal notes are sent only if you include them.
      </p>
      <p>Answer with a 2xx status within {timeoutMs / 1000} seconds, and do the work afterwards. Redirects are not followed.</p>
    </DocsSection>
    <DocsSection id="events" title="Events">
      <DocsTable caption="Events" head={['Event', 'Sent when']} rows={events} />
    </DocsSection>
    <DocsSection id="webhook-body" title="Body">
      <p>
        <code>data.ticket</code> is the ticket at the time of the event. Depending on the event, <code>data</code> also has{' '}
        <code>comment</code>, <code>changes</code> (each field with <code>from</code> and <code>to</code>), <code>survey</code>,{' '}
        <code>clock</code> or <code>into</code>. Events of articles have <code>data.article</code> instead. <code>actor</code> caused the
        event.
      </p>
      <DocsCode
        label="Body of an event"
        language="json"
        className="max-h-96 overflow-y-auto print:max-h-none"
        code={JSON.stringify(body, null, 2)}
      />
      <p>
        An endpoint with thin bodies, and every event above {maxBodyBytes / 1024} KB, has <code>resource</code> in place of{' '}
        <code>data</code>: the type, the id and the URL of the ticket or article.
      </p>
    </DocsSection>
    <DocsSection id="webhook-headers" title="Headers">
      <DocsTable caption="Headers of a webhook" head={['Header', 'Value']} rows={headers} />
    </DocsSection>
  </>
);

const Delivery = () => (
  <>
    <DocsSection id="retries" title="Retries">
      <p>
        Any other status, a redirect or no answer in time is a failure. Tandem makes {webhookRules.delaysSeconds.length} attempts over 76
        hours, then the delivery has failed. <code>Retry-After</code> makes the next delay longer, up to{' '}
        {hours(webhookRules.maxRetryAfterSeconds / 3600)}.
      </p>
      <DocsTable caption="Attempts" head={['Attempt', 'Delay, at least', 'Since the event']} isCode={false} rows={retryTable()} />
      <p>
        At most {webhookRules.concurrency} requests run at the same time per endpoint, and only one after 429, 502, 503, 504 or a timeout,
        until your endpoint succeeds again. A slow endpoint never delays another.
      </p>
    </DocsSection>
    <DocsSection id="disabling" title="When an endpoint is disabled">
      <Points>
        <li>
          After {warnAfterHours.slice(0, -1).join(', ')} and {hours(warnAfterHours.at(-1)!)} without a success, admins get an email and a
          notification.
        </li>
        <li>After {hours(disableAfterHours)} without a success, the endpoint is disabled.</li>
        <li>A 410 response disables the endpoint immediately.</li>
        <li>Events that happen while an endpoint is paused or disabled are stored as skipped, so that you can replay them.</li>
      </Points>
    </DocsSection>
    <DocsSection id="replay" title="Replay missed events">
      <p>
        Events and deliveries are stored for {retentionDays} days. In <Settings />, open an endpoint to see every attempt, to send
        deliveries again, and to replay the undelivered events since a time. With the permission <code>webhooks:manage</code>, programs can
        do the same with <code>POST /webhook-endpoints/{'{id}'}/replay</code>.
      </p>
      <p>
        Programs that can’t receive webhooks read the same events from{' '}
        <Link to="/docs/api-reference?tab=rest#list-changes" className={docsLink}>
          the changes feed
        </Link>
        .
      </p>
    </DocsSection>
    <DocsSection id="order" title="Order and repetition">
      <Points>
        <li>
          The same event can arrive more than once. Store each <code>id</code> and ignore repeated ones.
        </li>
        <li>
          Events can arrive in any order. <code>sequence</code> counts the events of a ticket: ignore those older than what you have.
        </li>
      </Points>
    </DocsSection>
  </>
);

function Verify() {
  const snippets = verificationSnippets('your-endpoint');
  const [open, setOpen] = useState('node');
  return (
    <DocsSection id="verify" title="Verify the signature">
      <p>
        Each request is signed as in{' '}
        <a href="https://www.standardwebhooks.com" className={docsLink}>
          Standard Webhooks
        </a>
        . The secret starts with <code>whsec_</code> and is shown once. Check the signature before you trust the body, over the exact bytes
        that you received, and reject requests older than 5 minutes.
      </p>
      <Tabs value={open} onValueChange={setOpen}>
        <TabsList aria-label="Language: verify the signature" className="mb-2 max-w-full overflow-x-auto text-md print:hidden">
          {snippets.map(({ value, label }) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </TabsList>
        {snippets.map(({ value, label, file, run, code }) => (
          <TabPanel key={value} value={value} className="flex flex-col gap-3">
            <p>
              Save this as <code>{file}</code>:
            </p>
            <DocsCode label={`Verify in ${label}`} language={value} code={code} className="max-h-96 overflow-y-auto print:max-h-none" />
            <DocsCode label={`Run in ${label}`} language="shell" code={run} />
          </TabPanel>
        ))}
      </Tabs>
    </DocsSection>
  );
}
