import { Link } from 'react-router-dom';
import { verificationSnippets } from '../../../lib/verification-snippets';
import { docsLink, DocsCode, Steps, SettingsLink } from '../DocsSection';
import { installCommand, listen, listenStarted, signIn, undelivered } from './commands';
import { Expected, Step } from './Step';

const receiver = verificationSnippets('your-endpoint').find(({ value }) => value === 'node')!;

const Receive = ({ origin }: { origin: string }) => (
  <Step number={4} id="receive" title="Receive its event">
    <p>
      Your computer has no public address, so Tandem can’t send requests to it. The command <code>tandem listen</code> receives the events
      instead and posts them to your program. Its package is not in a registry yet. Build it in a copy of Tandem’s repository:
    </p>
    <DocsCode label="Install the command" language="shell" code={installCommand} />
    <p>In a second terminal, sign in, which asks for the token, and start the command:</p>
    <DocsCode label="Start the command" language="shell" code={`${signIn(origin)}\n${listen}`} />
    <Expected>
      <p>A secret, with which the command signs every request. You need it in the next step.</p>
      <DocsCode label="Output after the start" code={listenStarted} />
      <p>
        In the first terminal, create a ticket again (
        <Link to="#create-ticket" className={docsLink}>
          step 3
        </Link>
        ). Its event appears, but no program accepts it yet:
      </p>
      <DocsCode label="Output for the event" code={undelivered} />
    </Expected>
    <Sink />
  </Step>
);

const Sink = () => (
  <p className="text-muted">
    Do you run Tandem on your computer? <code>npm start</code> also prints the address of its webhook sink. Add that address with{' '}
    <code>/hook</code>, such as <code>http://localhost:4545/hook</code>, as an endpoint (
    <Link to="#endpoint" className={docsLink}>
      step 6
    </Link>
    ) and enter the endpoint’s secret on the page of the sink: it shows each event as “verified”.
  </p>
);

const Verify = () => (
  <Step number={5} id="verify" title="Verify the signature">
    <p>
      Anyone can send requests to a public URL, so check the signature before you trust the body. Save this receiver as{' '}
      <code>{receiver.file}</code>:
    </p>
    <DocsCode label="Receiver" language="node" code={receiver.code} />
    <p>
      In a third terminal, start it with the secret that <code>tandem listen</code> printed. Then create a ticket again in the first one.
    </p>
    <DocsCode label="Start the receiver" language="shell" code={receiver.run} />
    <Expected>
      <p>
        The receiver prints <code>ticket.created</code>, and <code>tandem listen</code> shows the status 204. Start the receiver with
        another secret to see it answer 400 and print nothing.
      </p>
    </Expected>
    <p>
      The reference has{' '}
      <Link to="/docs/api-reference?tab=webhooks#verify" className={docsLink}>
        the same receiver in Python, Go, Ruby, PHP and as a shell script
      </Link>
      .
    </p>
  </Step>
);

const Endpoint = () => (
  <Step number={6} id="endpoint" title="Create an endpoint">
    <Steps>
      <li>
        Start the receiver on a server with a public URL. It must start with <code>https://</code> and use port 443 or 8443.
      </li>
      <li>
        In <SettingsLink section="webhooks" />, choose New endpoint, enter the URL, choose Create endpoint, and copy its secret.
      </li>
      <li>Restart the receiver with this secret.</li>
      <li>Next to the endpoint, choose Send test, then Send.</li>
    </Steps>
    <Expected>
      <p>
        “Delivered: your server answered 204”, and <code>webhook.test</code> in the output of the receiver.
      </p>
    </Expected>
    <p>
      From now on, the endpoint receives every event. Its page shows all attempts, and{' '}
      <Link to="/docs/api-reference?tab=webhooks#retries" className={docsLink}>
        failed requests are retried
      </Link>{' '}
      for 76 hours.
    </p>
  </Step>
);

/** Steps 4 to 6. `origin`: the product's own address. */
export const Events = ({ origin }: { origin: string }) => (
  <>
    <Receive origin={origin} />
    <Verify />
    <Endpoint />
  </>
);
