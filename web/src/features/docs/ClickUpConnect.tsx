import { Link } from 'react-router-dom';
import { docsLink, DocsSection, Points, Steps } from './DocsSection';

const Integrations = () => (
  <Link to="/settings?tab=integrations" className={docsLink}>
    Settings, Integrations
  </Link>
);

/** Steps for an admin of the organization. */
export const Connect = () => (
  <>
    <DocsSection title="Whose account to use">
      <p>
        Whatever the sync does in ClickUp, it does in the name of the person who connects, and it sees what that person sees. We recommend a
        ClickUp user of its own, such as “Support desk”: it does not go on holiday, its tasks and comments are easy to tell apart, and
        nothing stops when a colleague leaves.
      </p>
    </DocsSection>
    <DocsSection title="Connect with OAuth">
      <Steps>
        <li>
          As an administrator open <Integrations />.
        </li>
        <li>Choose Connect ClickUp. ClickUp asks which workspaces the help desk may use: choose those with your lists.</li>
        <li>You come back by yourself, and the page says Connected, with the account.</li>
      </Steps>
      <p className="text-muted">
        “ClickUp Integration Setup Required” means that this installation has no OAuth app yet. Ask whoever runs it, or use a token.
      </p>
    </DocsSection>
    <DocsSection title="Or with a personal token">
      <Steps>
        <li>In ClickUp open your settings, then Apps, and generate an API token. It begins with pk_.</li>
        <li>
          In <Integrations /> choose “Use a personal token” and paste it.
        </li>
      </Steps>
      <p>Tandem keeps the access encrypted. It is never shown again, to nobody.</p>
    </DocsSection>
    <DocsSection title="When it says broken">
      <p>
        Somebody has revoked the access, or the account has left the workspace. Your administrators are told, and the sync waits: nothing is
        lost.
      </p>
      <Points>
        <li>
          Open <Integrations /> and choose Reconnect. What waited follows by itself, and all integrations go on.
        </li>
        <li>The same account is best: another one may not see the list.</li>
        <li>If only one list is broken, it was deleted in ClickUp or is no longer shared with the account.</li>
      </Points>
    </DocsSection>
  </>
);
