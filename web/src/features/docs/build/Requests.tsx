import { tokenPermissions } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import responses from '../api-reference/responses.json';
import { docsLink, DocsCode, SettingsLink } from '../DocsSection';
import { createTicket, firstRequest, setToken } from './commands';
import { Expected, Step } from './Step';

const json = (value: unknown) => JSON.stringify(value, null, 2);
const { ticket_number, subject, status, channel } = responses['create-ticket'].data;
const listed = json({ success: true, data: [{ ticket_number, subject, status }], meta: { pagination: { total: 1 } } });
const created = json({ success: true, data: { ticket_number, subject, status, channel } });

const permission = (name: keyof typeof tokenPermissions) => `“${tokenPermissions[name].label}”`;

const CreateToken = () => (
  <Step number={1} id="token" title="Create a token">
    <p>
      In <SettingsLink section="api" />, choose New token and name it “First steps”. Leave the permissions as they are:{' '}
      {permission('tickets:read')} and {permission('tickets:write')}. Then choose Generate token.
    </p>
    <Expected>
      <p>
        The token, which starts with <code>tnd_live_</code>. Copy it now, because it is shown only once. All admins will get an email about
        this token.
      </p>
    </Expected>
    <p>In a terminal, store it in a variable that the commands below use:</p>
    <DocsCode label="Store the token" language="shell" code={setToken} />
  </Step>
);

const FirstRequest = ({ base }: { base: string }) => (
  <Step number={2} id="first-request" title="Send a request">
    <p>Read your newest ticket:</p>
    <DocsCode label="First request" language="curl" code={firstRequest(base)} />
    <Expected>
      <p>
        A response with <code>"success": true</code> and your newest ticket. <code>data</code> is empty if you have no tickets yet.
        Shortened:
      </p>
      <DocsCode label="First response" language="json" code={listed} />
      <p>
        The code <code>token.invalid</code> means that the token was not copied completely.
      </p>
    </Expected>
  </Step>
);

const CreateTicket = ({ base }: { base: string }) => (
  <Step number={3} id="create-ticket" title="Create a ticket">
    <p>You will run this command again in the next steps. Each time, it creates another ticket.</p>
    <DocsCode label="Create a ticket" language="curl" code={createTicket(base)} />
    <Expected>
      <p>The new ticket with its number, shortened:</p>
      <DocsCode label="Created ticket" language="json" code={created} />
      <p>
        It is also at the top of{' '}
        <Link to="/tickets" className={docsLink}>
          Tickets
        </Link>
        . Open it: its timeline shows that “API · First steps” created it.
      </p>
    </Expected>
  </Step>
);

/** Steps 1 to 3. */
export const Requests = ({ base }: { base: string }) => (
  <>
    <CreateToken />
    <FirstRequest base={base} />
    <CreateTicket base={base} />
  </>
);
