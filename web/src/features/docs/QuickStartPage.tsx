import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { portalAddress } from '../../lib/portal-address';
import { readSite } from '../../lib/site';
import { storage } from '../../lib/storage';
import { basicSnippet } from '../../lib/widget-snippet';
import { DocsPage } from './DocsPage';
import { docsLink, DocsCode, DocsSection, Points, SettingsLink, Steps } from './DocsSection';
import { useSubdomain } from './use-subdomain';

const minutes = { organization: 5, taskTool: 10, widget: 2, test: 3 };
const total = Object.values(minutes).reduce((sum, each) => sum + each);

interface TimedStepProps {
  number: number;
  title: string;
  takes: number;
  children: ReactNode;
}
const TimedStep = ({ number, title, takes, children }: TimedStepProps) => (
  <DocsSection title={`${number}. ${title}`}>
    <p className="-mt-2 text-md text-muted">{takes} minutes</p>
    {children}
  </DocsSection>
);

/** /docs/quick-start */
export function QuickStartPage() {
  const subdomain = useSubdomain();
  return (
    <DocsPage name="quick-start">
      <p className="mt-4">
        Four steps, about {total} minutes in total. You need an email address, an account in ClickUp and access to your website’s HTML. You
        can skip step 2 or 3 and do it later.
      </p>
      <Organization portal={portalAddress(subdomain, null)} />
      <TaskTool />
      <Widget subdomain={subdomain} />
      <FirstTicket />
      <Checklist />
    </DocsPage>
  );
}

const Organization = ({ portal }: { portal: string }) => (
  <TimedStep number={1} title="Create your organization" takes={minutes.organization}>
    <Steps>
      <li>
        <Link to="/auth?tab=sign-up" className={docsLink}>
          Sign up
        </Link>{' '}
        with your email address and a password of at least 8 characters. The trial lasts 14 days and needs no credit card.
      </li>
      <li>Open the link in the email that you get. It’s valid for 24 hours.</li>
      <li>Enter the name of your organization and choose Create. You become its administrator.</li>
      <li>
        In <SettingsLink section="organization" />, check the{' '}
        {readSite().singlePortal ? 'address of your portal:' : 'subdomain that Tandem made from the name. It’s the address of your portal:'}
      </li>
    </Steps>
    <DocsCode label="Your portal" code={portal} />
    <p>
      You can also invite your team there.{' '}
      <Link to="/docs/admin-guide?tab=users" className={docsLink}>
        User management
      </Link>{' '}
      explains the roles.
    </p>
  </TimedStep>
);

const TaskTool = () => (
  <TimedStep number={2} title="Connect ClickUp" takes={minutes.taskTool}>
    <Steps>
      <li>
        In <SettingsLink section="integrations" />, choose Connect ClickUp and allow access to your workspace. If ClickUp isn’t set up on
        this server, choose “Use a personal token” instead.
      </li>
      <li>Choose the workspace, the space and the list in which tickets become tasks.</li>
      <li>Check how statuses map to those of the list, then choose Create integration.</li>
    </Steps>
    <p>
      <Link to="/docs/clickup-setup" className={docsLink}>
        ClickUp setup
      </Link>{' '}
      describes each step, and what to do if the connection breaks.
    </p>
  </TimedStep>
);

const Widget = ({ subdomain }: { subdomain: string }) => (
  <TimedStep number={3} title="Add the widget" takes={minutes.widget}>
    <p>
      Paste this before <code>{'</body>'}</code> on every page of your website:
    </p>
    <DocsCode label="Widget" language="html" code={basicSnippet(location.origin, subdomain)} />
    <p>
      <Link to="/docs/widget-setup" className={docsLink}>
        Widget setup
      </Link>{' '}
      has a React version, and lists colors, texts and positions.
    </p>
  </TimedStep>
);

const FirstTicket = () => (
  <TimedStep number={4} title="Send a test ticket" takes={minutes.test}>
    <Steps>
      <li>Open your portal, choose “Submit a ticket”, and submit one with your own email address.</li>
      <li>
        Open it in{' '}
        <Link to="/tickets" className={docsLink}>
          Tickets
        </Link>
        . It appears without reloading the page, and its task in ClickUp follows within seconds.
      </li>
      <li>Write a reply. You can undo it for 10 seconds, then Tandem sends it to your email address.</li>
    </Steps>
  </TimedStep>
);

const checks: { id: string; text: ReactNode }[] = [
  { id: 'portal', text: 'Your portal opens at its address and shows your organization’s name.' },
  { id: 'list', text: 'The test ticket is in the list of tickets, with the status Open.' },
  { id: 'confirmation', text: 'The confirmation email has arrived, and its link opens the ticket.' },
  { id: 'reply', text: 'Your reply has arrived by email and is on the ticket’s page.' },
  { id: 'task', text: 'The task is in the ClickUp list, and changing its status changes the ticket.' },
  { id: 'widget', text: 'The widget opens on your website, and a message from it becomes a ticket.' },
];

/** The items that the reader has checked are stored in this browser. */
function Checklist() {
  const [done, setDone] = useState(() => (storage.get('docs-checklist') ?? '').split(' '));
  const change = (id: string, isDone: boolean) => {
    const now = isDone ? [...done, id] : done.filter((each) => each !== id);
    setDone(now);
    storage.set('docs-checklist', now.join(' '));
  };
  return (
    <DocsSection title="Verification checklist">
      <p>Everything works if you can check off all of these:</p>
      <ul className="flex flex-col divide-y rounded-lg border">
        {checks.map(({ id, text }) => (
          <li key={id}>
            <label className="flex items-start gap-3 px-4 py-2.5">
              <input
                type="checkbox"
                className="mt-1 size-4 shrink-0 accent-accent"
                checked={done.includes(id)}
                onChange={(event) => change(id, event.target.checked)}
              />
              <span>{text}</span>
            </label>
          </li>
        ))}
      </ul>
      <h3 className="mt-4 font-semibold">Where to continue</h3>
      <Points>
        <li>
          <Link to="/docs/domain-setup?tab=custom" className={docsLink}>
            Use your own domain
          </Link>{' '}
          for the portal.
        </li>
        <li>
          <Link to="/docs/admin-guide#sla" className={docsLink}>
            Set business hours and SLAs
          </Link>{' '}
          so that everyone knows what’s due next.
        </li>
        <li>
          Share the{' '}
          <Link to="/docs/customer-guide" className={docsLink}>
            customer guide
          </Link>
          . It’s also on your portal’s address.
        </li>
      </Points>
    </DocsSection>
  );
}
