import { limits, webhookRules } from '@tandem/contracts/values';
import { DocsCode, DocsSection } from '../DocsSection';
import { DocsTable } from '../DocsTable';
import { backoffPython, backoffTypescript } from './backoff';
import responses from './responses.json';

const perMinute = (count: number) => `${count.toLocaleString('en-US')} per minute`;
const headers: [string, string, string][] = [
  ['X-RateLimit-Limit', '1000', 'Requests that you may make in a window'],
  ['X-RateLimit-Remaining', '998', 'Requests left in this window'],
  ['X-RateLimit-Reset', '1795424460', 'When the window ends, in Unix seconds'],
  ['X-RateLimit-Used', '2', 'Requests made in this window'],
  ['RateLimit-Policy', '"rest_api";q=1000;w=60', 'The standard form: requests and seconds of a window'],
  ['RateLimit', '"rest_api";r=998;t=42', 'The standard form: requests left, and seconds until the window ends'],
  ['Retry-After', '42', 'Only with 429 and 503: seconds to wait'],
];

export const RateLimits = ({ base }: { base: string }) => (
  <>
    <DocsSection id="limits" title="Limits">
      <DocsTable
        caption="Limits"
        head={['Interface', 'Limit', 'Counted per']}
        isCode={false}
        rows={[
          ['Widget API', perMinute(limits.widget.limit), 'organization'],
          ['REST API', perMinute(limits.rest_api.limit), 'API token, from all addresses together'],
          ['Webhook delivery', perMinute(webhookRules.perMinute), 'endpoint; further events wait, and none is lost'],
        ]}
      />
      <p>
        At least four requests of a token are handled at the same time. If you send more, they wait for their turn; none is rejected for it.
      </p>
    </DocsSection>
    <DocsSection id="limit-headers" title="Headers">
      <p>Responses have these headers. If several limits apply, they describe the one that you will reach first.</p>
      <DocsTable
        caption="Rate limit headers"
        head={['Header', 'Example', 'Meaning']}
        rows={headers.map(([name, value, meaning]) => [name, <code className="whitespace-nowrap">{value}</code>, meaning])}
      />
    </DocsSection>
    <DocsSection id="limit-exceeded" title="429 Too Many Requests">
      <p>
        A request over the limit is rejected with 429 and is not counted. Wait for the seconds in <code>Retry-After</code>, then try again.
        If you continue to send requests, the responses come half a second later.
      </p>
      <DocsCode label="Response over the limit" language="json" code={JSON.stringify(responses.limited, null, 2)} />
    </DocsSection>
    <DocsSection id="backoff" title="Exponential backoff">
      <p>
        Retry 429 and 503, and double the delay each time. A random part keeps many clients from retrying in the same second. Send an{' '}
        <code>Idempotency-Key</code> with requests that create something, so that a retry is safe.
      </p>
      <DocsCode label="Backoff in TypeScript" language="typescript" code={backoffTypescript(base)} />
      <DocsCode label="Backoff in Python" language="python" code={backoffPython(base)} />
    </DocsSection>
  </>
);
