import { DocsCode, DocsSection, Points, Steps } from './DocsSection';

const variables = 'CLICKUP_CLIENT_ID=your-client-id\nCLICKUP_CLIENT_SECRET=your-client-secret';

/** Steps for the operator, once per installation. */
export function OAuthApp() {
  const { origin } = location;
  return (
    <>
      <DocsSection title="Who needs this">
        <p>
          Your system administrator does this once per installation. Without an OAuth app, connect with a{' '}
          <strong className="font-medium">personal token</strong>, which works just as well: see Connect.
        </p>
      </DocsSection>
      <DocsSection title="Create the app">
        <Steps>
          <li>Sign in to ClickUp as an owner or admin of a workspace. Only they can create apps.</li>
          <li>Open Settings, then ClickUp API, and choose Create an App.</li>
          <li>Name it after your help desk, and enter exactly this redirect URL:</li>
        </Steps>
        <DocsCode label="Redirect URL" code={`${origin}/auth/callback/clickup`} />
        <p>ClickUp then shows the client ID and the client secret. Keep the secret on the server.</p>
      </DocsSection>
      <DocsSection title="Configure the server">
        <p>Set these environment variables for the integrations service, then restart it.</p>
        <DocsCode label="Environment variables" code={variables} />
      </DocsSection>
      <DocsSection title="Scopes and webhooks">
        <Points>
          <li>
            ClickUp has no scopes to choose, such as task read and write, comment read and write, space read or project read. Instead, its
            consent page asks which workspaces the help desk may use. Within them, the help desk has the permissions of the connected
            account.
          </li>
          <li>
            Webhooks are configured automatically. Tandem creates and maintains one per list, at an address below this one. The server must
            be reachable from the internet at that address, over HTTPS.
          </li>
        </Points>
        <DocsCode label="Webhook URL" code={`${origin}/api/v1/hooks/task-tool/clickup/…`} />
      </DocsSection>
    </>
  );
}
