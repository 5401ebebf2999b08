import { articleSuggestions } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { basicSnippet, customizedSnippet, identifySnippet, policyLine, queueSnippet, reactSnippet } from '../../lib/widget-snippet';
import { TokenSamples } from '../../ui/TokenSamples';
import { DocsPage } from './DocsPage';
import { docsLink, DocsCode, DocsSection, Points, SettingsLink } from './DocsSection';
import { DocsTabs } from './DocsTabs';
import { useSubdomain } from './use-subdomain';
import { AttributeTable, CommandTable } from './WidgetTables';

const copiedMessage = 'Code copied to clipboard!';

/** /docs/widget-setup */
export function WidgetSetupPage() {
  const subdomain = useSubdomain();
  const { origin } = location;
  return (
    <DocsPage name="widget-setup">
      <DocsSection title="Prerequisites">
        <Points>
          <li>
            <Link to="/docs/clickup-setup" className={docsLink}>
              Task-tool integration configured (required)
            </Link>
          </li>
          <li>
            <Link to="/docs/domain-setup" className={docsLink}>
              Subdomain set (required)
            </Link>
          </li>
          <li>
            <Link to="/docs/domain-setup?tab=custom" className={docsLink}>
              Custom domain (optional)
            </Link>
          </li>
        </Points>
      </DocsSection>
      <DocsSection title="Add the widget">
        <Setups origin={origin} subdomain={subdomain} />
      </DocsSection>
      <DocsSection title="Attributes">
        <AttributeTable />
      </DocsSection>
      <DocsSection title="JavaScript interface">
        <p>
          Control the widget with <code>window.Tandem</code>. The first line below lets you call it before it has loaded.
        </p>
        <DocsCode label="Calls before the widget has loaded" code={queueSnippet} />
        <CommandTable />
      </DocsSection>
      <SuggestedArticles />
      <IdentityVerification />
      <DocsSection title="Content-Security-Policy">
        <p>
          The widget needs neither <code>unsafe-inline</code> nor <code>unsafe-eval</code>, and works with Trusted Types. If your site
          allows only its own scripts, add these sources to its policy. Without them, the browser blocks the widget.
        </p>
        <DocsCode label="Content-Security-Policy" code={policyLine(origin)} />
        <p>
          With a nonce and <code>strict-dynamic</code>, add the page’s nonce to the script tag.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const SuggestedArticles = () => (
  <DocsSection title="Suggested articles">
    <p>
      While a visitor enters the subject, the form suggests up to {articleSuggestions.max} of your public{' '}
      <Link to="/docs/help-articles" className={docsLink}>
        help articles
      </Link>
      . It needs no setup, and shows nothing until you publish an article.
    </p>
  </DocsSection>
);

const IdentityVerification = () => (
  <DocsSection title="Identity verification">
    <p>
      Your server signs a token for the signed-in visitor with HS256 and the secret from <SettingsLink section="embed" />. The token
      contains <code>email</code>, <code>name</code> and <code>exp</code>, which is at most an hour ahead. Keep the secret on the server.
    </p>
    <TokenSamples copiedMessage={copiedMessage} />
    <p>Your page then passes the token to the widget.</p>
    <DocsCode label="Identify the visitor" code={identifySnippet} />
  </DocsSection>
);

function Setups({ origin, subdomain }: { origin: string; subdomain: string }) {
  const setup = (label: string, text: ReactNode, code: string, language: 'html' | 'typescript') => (
    <div className="mt-3 flex flex-col gap-3">
      <p>{text}</p>
      <DocsCode label={label} code={code} language={language} />
    </div>
  );
  return (
    <DocsTabs
      label="Setup"
      tabs={[
        {
          value: 'basic',
          label: 'Basic Setup',
          panel: setup('Basic Setup', 'Paste this before </body> on every page.', basicSnippet(origin, subdomain), 'html'),
        },
        {
          value: 'customized',
          label: 'Customized',
          panel: setup('Customized', 'Only the first attribute is required.', customizedSnippet(origin, subdomain), 'html'),
        },
        {
          value: 'react',
          label: 'React Integration',
          panel: setup(
            'React Integration',
            'Render this component once, near the root. The widget loads only once, even if the component remounts.',
            reactSnippet(origin, subdomain),
            'typescript',
          ),
        },
      ]}
    />
  );
}
