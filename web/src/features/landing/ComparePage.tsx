import { webhookRules } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button';
import { InfoPage, InfoSection } from './InfoPage';

interface Row {
  topic: string;
  tandem: string;
  others: ReactNode;
}

const hour = 3_600;
const attempts = webhookRules.delaysSeconds.length;
const totalHours = Math.round(webhookRules.delaysSeconds.reduce<number>((sum, seconds) => sum + seconds, 0) / hour);

const Source = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} rel="noreferrer" className="text-accent-text underline underline-offset-4">
    {children}
  </a>
);

/** Only claims that a public source supports, each with its link. */
const rows: Row[] = [
  {
    topic: 'Tickets and tasks',
    tandem: 'A ticket becomes a task. Status, priority, assignee and comments sync both ways, and a log shows each change.',
    others: (
      <>
        Zammad links tickets to GitHub and GitLab issues. Its{' '}
        <Source href="https://github.com/zammad/zammad/issues/267">request for Jira</Source> has been open since 2016.
      </>
    ),
  },
  {
    topic: 'Webhooks',
    tandem: `${attempts} attempts within ${totalHours} hours. Each delivery is stored with its response, and events that a receiver missed can be sent again.`,
    others: (
      <>
        Chatwoot sends an account’s webhook once. A{' '}
        <Source href="https://github.com/chatwoot/chatwoot/issues/15920">request for retries</Source> is open.
      </>
    ),
  },
  {
    topic: 'AI assistants',
    tandem: 'An MCP server is built in. An assistant has the permissions of its API token, and no more.',
    others: (
      <>
        <Source href="https://www.plain.com/docs/agents/mcp-server">Plain</Source> has one, too. Libredesk has an{' '}
        <Source href="https://github.com/abhinavxd/libredesk/issues/265">open request</Source>.
      </>
    ),
  },
  {
    topic: 'Moving in and out',
    tandem:
      'Administrators import from six other sources, see each problem before anything is created, and can undo it for 24 hours. One click exports everything, on every plan.',
    others: (
      <>
        Zendesk{' '}
        <Source href="https://support.zendesk.com/hc/en-us/articles/4408886165402">enables exports of account data on request</Source>, and
        not on Team plans.
      </>
    ),
  },
];

const missing = ['Live chat, WhatsApp and other social channels'];

/** /compare: Tandem next to other help desks, including where they are ahead. */
export const ComparePage = () => (
  <InfoPage
    title="Compare"
    intro={
      <>
        How Tandem differs from other help desks, with sources. Last checked on <time dateTime="2026-11-23">November 23, 2026</time>.
      </>
    }
  >
    <div className="mt-12 rounded-xl border bg-surface" role="region" aria-label="Comparison">
      <table className="w-full text-left align-top max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-b text-md text-muted">
            <th scope="col" className="w-[18%] px-5 py-3 font-medium">
              <span className="sr-only">Topic</span>
            </th>
            <th scope="col" className="w-[41%] px-5 py-3 font-medium">
              Tandem
            </th>
            <th scope="col" className="px-5 py-3 font-medium">
              Elsewhere
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map(({ topic, tandem, others }) => (
            <tr key={topic} className="border-b align-top last:border-b-0 max-md:block max-md:py-5">
              <th scope="row" className="px-5 py-5 font-semibold max-md:block max-md:py-0">
                {topic}
              </th>
              <td className="px-5 py-5 text-pretty max-md:block max-md:py-2">{tandem}</td>
              <td className="px-5 py-5 text-pretty text-muted max-md:block max-md:py-0">
                <span aria-hidden className="block text-xs md:hidden">
                  Elsewhere
                </span>
                {others}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <InfoSection title="What Tandem doesn’t have yet">
      <p className="text-muted">If you need one of these today, another help desk is the better choice.</p>
      <ul>
        {missing.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </InfoSection>
    <Button asChild variant="primary" size="lg" className="mt-12 h-12 px-5">
      <Link to="/auth?tab=sign-up">Start your 14-day free trial</Link>
    </Button>
  </InfoPage>
);
