import { tokenPermissions } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { docsLink, DocsCode, Points, SettingsLink } from '../DocsSection';
import { connectAssistant } from './commands';
import { Expected, Step } from './Step';

/** Step 7. `origin` is the product's own address. */
export const NextSteps = ({ origin }: { origin: string }) => (
  <Step number={7} id="next" title="Continue">
    <Points>
      <li>
        The{' '}
        <Link to="/docs/api-reference?tab=rest" className={docsLink}>
          API reference
        </Link>{' '}
        documents calls, errors, webhooks and limits.
      </li>
      <li>
        The package that you built in step 4, <code>@tandem/sdk</code>, is also a client for TypeScript and JavaScript, with retries,
        pagination and <code>verifyWebhook</code>. <code>docs/sdk.md</code> in the repository describes it.
      </li>
      <li>
        Programs that can’t receive webhooks read the same events from{' '}
        <Link to="/docs/api-reference?tab=rest#list-changes" className={docsLink}>
          the changes feed
        </Link>
        .
      </li>
    </Points>
    <h3 className="mt-2 font-medium">Connect an assistant</h3>
    <p>AI assistants work with your tickets through the Model Context Protocol.</p>
    <ol className="flex list-decimal flex-col gap-2 pl-5">
      <li>
        In <SettingsLink section="api" />, create a token with the permissions “{tokenPermissions.mcp.label}” and “
        {tokenPermissions['tickets:read'].label}” only.
      </li>
      <li>
        For Claude Code, run:
        <DocsCode label="Connect Claude Code" language="shell" code={connectAssistant(origin)} />
      </li>
      <li>Then ask it: “Which open tickets are urgent?”</li>
    </ol>
    <Expected>
      <p>
        The assistant calls <code>search_tickets</code> and answers with your tickets. “View requests” in the menu of the token lists the
        call.
      </p>
    </Expected>
    <p>
      With “{tokenPermissions['tickets:write'].label}” too, the assistant creates and changes tickets, writes notes, and saves replies as
      drafts of the assigned agent, who reads and sends them. It sends replies only with “{tokenPermissions['tickets:send'].label}”.
    </p>
    <p className="text-muted">Other assistants need the same URL and header. Those that can only connect with OAuth can’t connect yet.</p>
  </Step>
);
