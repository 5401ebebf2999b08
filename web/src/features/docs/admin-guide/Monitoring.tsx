import { metricDefinitions, webhookRules } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, SettingsLink } from '../DocsSection';
import { useChosenSection } from '../use-section-in-view';

export const Monitoring = () => (
  <>
    <DocsSection title="Dashboard and analytics">
      <p>
        The{' '}
        <Link to="/dashboard" className={docsLink}>
          dashboard
        </Link>{' '}
        shows everyone the tickets that need attention.{' '}
        <Link to="/analytics" className={docsLink}>
          Analytics
        </Link>{' '}
        shows administrators and managers how the team has been doing over the last 7, 30 or 90 days. Figures, bars and cells open the
        tickets that they count.
      </p>
      <p>“Scheduled reports” on that page emails the figures every week or month to members that you choose.</p>
    </DocsSection>
    <DocsSection title="Views">
      <p>
        A view is a saved selection of tickets with a name and a count, next to the list. Set the filters of the list and choose “Save as
        view”, or choose “New view” and add conditions, such as “Customer’s email domain is example.com” or “Hours since the last comment is
        at least 24”. A ticket is in the view if it matches the filters and all or any of the conditions.
      </p>
      <p>
        A view is yours alone unless you share it with everyone. Managers and administrators can change shared views. Counts stop at 1,000.
        A view that searches many texts can take too long to count; it is then listed without a count.
      </p>
    </DocsSection>
    <DocsSection title="Check that it works">
      <Points>
        <li>Emails to customers: a ticket shows each email with its state. If one bounces, the followers of the ticket are notified.</li>
        <li>
          Incoming email: <SettingsLink section="email" /> lists what arrived, and why something didn’t become a ticket.
        </li>
        <li>
          Task sync: each integration in <SettingsLink section="integrations" /> has a sync log and a list of problems, with a button to try
          again.
        </li>
        <li>
          Webhooks: each endpoint in <SettingsLink section="webhooks" /> shows its health and every attempt of the last{' '}
          {webhookRules.retentionDays} days.
        </li>
        <li>
          API: View requests in the menu of a token in <SettingsLink section="api" /> lists its calls.
        </li>
      </Points>
      <p>Administrators are notified if the task sync, the custom domain or a webhook endpoint needs attention.</p>
    </DocsSection>
    <HowWeCount />
  </>
);

function HowWeCount() {
  const chosen = useChosenSection();
  return (
    <DocsSection title="How we count">
      <Points>
        <li>
          A range contains the tickets created from its first to its last day, and compares them with the period of the same length before
          it.
        </li>
        <li>Days, weekdays and hours are in your organization’s time zone.</li>
        <li>Figures without any ticket show a dash, not zero.</li>
        <li>Medians and “90% within” are at most 2% off. A single old ticket hardly changes them, unlike an average.</li>
        <li>
          The chart per day counts what happened on each day, regardless of when the tickets were created. The team table counts the tickets
          of the range by their current assignee.
        </li>
      </Points>
      <dl className="mt-2 divide-y rounded-lg border bg-surface">
        {Object.entries(metricDefinitions).map(([name, { label, definition }]) => (
          <div key={name} id={name} className={`scroll-mt-20 px-4 py-3 ${name === chosen ? 'bg-accent-soft' : ''}`}>
            <dt className="font-medium">{label}</dt>
            <dd className="mt-0.5 text-md text-muted">{definition}</dd>
          </div>
        ))}
      </dl>
    </DocsSection>
  );
}
