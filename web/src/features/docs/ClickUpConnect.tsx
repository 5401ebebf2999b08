import { DocsSection, Points, SettingsLink, Steps } from './DocsSection';

/** Steps for an admin of the organization. */
export const Connect = () => (
  <>
    <DocsSection title="Which account to use">
      <p>
        Synced changes appear in ClickUp under the connected account, and the sync can see what that account can see. We recommend a
        dedicated ClickUp user, such as “Support desk”: its tasks and comments are easy to recognize, and the sync keeps running when a
        teammate leaves.
      </p>
    </DocsSection>
    <DocsSection title="Connect with OAuth">
      <Steps>
        <li>
          As an administrator, open <SettingsLink section="integrations" />.
        </li>
        <li>Choose Connect ClickUp. ClickUp asks which workspaces the help desk may use: choose those with your lists.</li>
        <li>You’ll return to Tandem and see Connected with the account name.</li>
      </Steps>
      <p className="text-muted">
        “ClickUp Integration Setup Required” means that this installation has no OAuth app yet. Ask your system administrator, or use a
        token.
      </p>
    </DocsSection>
    <DocsSection title="Or with a personal token">
      <Steps>
        <li>In ClickUp, open your settings, then Apps, and generate an API token. It starts with pk_.</li>
        <li>
          In <SettingsLink section="integrations" />, choose “Use a personal token” and paste it.
        </li>
      </Steps>
      <p>Tandem stores the token encrypted. It’s never shown again.</p>
    </DocsSection>
    <DocsSection title="If the connection is broken">
      <p>
        Access was revoked, or the account has left the workspace. Your administrators are notified, and changes are queued until you
        reconnect. Nothing is lost.
      </p>
      <Points>
        <li>
          Open <SettingsLink section="integrations" /> and choose Reconnect. Queued changes sync automatically, and all integrations resume.
        </li>
        <li>Use the same account if you can: another one may not see the list.</li>
        <li>If only one list is broken, it was deleted in ClickUp or is no longer shared with the account.</li>
      </Points>
    </DocsSection>
  </>
);
