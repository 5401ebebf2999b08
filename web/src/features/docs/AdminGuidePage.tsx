import { metricDefinitions } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { useDocumentTitle } from '../../ui/PageHeader';
import { docsLink, DocsSection, Points } from './DocsSection';
import { useSectionInView } from './use-section-in-view';

/** /docs/admin-guide */
export function AdminGuidePage() {
  useDocumentTitle('Admin guide');
  const chosen = useSectionInView();
  return (
    <article className="text-pretty">
      <h1 className="text-2xl tracking-tight">Admin guide</h1>
      <DocsSection title="How we count">
        <p>
          <Link to="/analytics" className={docsLink}>
            Analytics
          </Link>{' '}
          shows administrators and managers how the team is doing. Figures, bars and cells open the tickets that they count.
        </p>
        <Points>
          <li>
            A range contains the tickets created from its first to its last day, and compares them with the period of the same length before
            it.
          </li>
          <li>Days, weekdays and hours are in your organization’s time zone.</li>
          <li>Figures without any ticket show a dash, not zero.</li>
          <li>Medians and “90% within” are at most 2% off. A single old ticket hardly changes them, unlike an average.</li>
          <li>
            The chart per day counts what happened on each day, regardless of when the tickets were created. The team table counts the
            tickets of the range by their current assignee.
          </li>
        </Points>
        <dl className="mt-2 divide-y rounded-lg border bg-surface">
          {Object.entries(metricDefinitions).map(([name, { label, definition }]) => (
            <div key={name} id={name} className={`scroll-mt-4 px-4 py-3 ${name === chosen ? 'bg-accent-soft' : ''}`}>
              <dt className="font-medium">{label}</dt>
              <dd className="mt-0.5 text-md text-muted">{definition}</dd>
            </div>
          ))}
        </dl>
      </DocsSection>
    </article>
  );
}
