import { DocsCode, DocsSection, Points, Steps } from './DocsSection';

const variables = 'CLICKUP_CLIENT_ID=your-client-id\nCLICKUP_CLIENT_SECRET=your-client-secret';

/** Steps for the operator, once per installation. */
export function OAuthApp() {
  const { origin } = location;
  return (
    <>
      <DocsSection title="Who needs this">
        <p>
          Whoever runs this installation does it once. Without an OAuth app people connect with a{' '}
          <strong className="font-medium">personal token</strong>, which works just as well: see Connect.
        </p>
      </DocsSection>
      <DocsSection title="Create the app">
        <Steps>
          <li>Sign in to ClickUp as an owner or admin of a workspace; others cannot create apps.</li>
          <li>Open Settings, then ClickUp API, and choose Create an App.</li>
          <li>Name it after your help desk, and give it this redirect URL, exactly as it stands here:</li>
        </Steps>
        <DocsCode label="Redirect URL" code={`${origin}/auth/callback/clickup`} />
        <p>ClickUp then shows the client id and the client secret. Keep the secret on the server.</p>
      </DocsSection>
      <DocsSection title="Give them to the server">
        <p>Set these environment variables of the integrations service, and start it again.</p>
        <DocsCode label="Environment variables" code={variables} />
      </DocsSection>
      <DocsSection title="Scopes and webhooks">
        <Points>
          <li>
            You may have been told to choose scopes: task read and write, comment read and write, space read, project read. ClickUp knows
            none of them. Instead its consent page asks which workspaces the help desk may use, and there it may do what the person who
            connects may do.
          </li>
          <li>
            Webhooks need no setting up. Tandem makes one for each list by itself, at an address below the one that follows, and looks after
            it. The server must be reachable there from the internet, over https.
          </li>
        </Points>
        <DocsCode label="Webhook URL" code={`${origin}/api/v1/hooks/task-tool/clickup/…`} />
      </DocsSection>
    </>
  );
}
