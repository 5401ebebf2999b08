import { useState, type ReactNode } from 'react';
import { basicSnippet, customizedSnippet, identifySnippet, policyLine, queueSnippet, reactSnippet } from '../../lib/widget-snippet';
import { CodeBlock } from '../../ui/CodeBlock';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Tab, TabPanel, Tabs, TabsList } from '../../ui/Tabs';
import { TokenSamples } from '../../ui/TokenSamples';
import { useSubdomain } from './use-subdomain';
import { AttributeTable, CommandTable } from './WidgetTables';

const copiedMessage = 'Code copied to clipboard!';
const Code = (props: { label: string; code: string }) => <CodeBlock {...props} copiedMessage={copiedMessage} className="mt-3" />;

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-10">
    <h2 className="mb-2 text-lg">{title}</h2>
    {children}
  </section>
);

/** /docs/widget-setup */
export function WidgetSetupPage() {
  const subdomain = useSubdomain();
  useDocumentTitle('Widget setup');
  const { origin } = location;
  return (
    <article className="text-pretty [&_code]:font-mono [&_p_code]:text-md">
      <h1 className="text-2xl tracking-tight">Widget setup</h1>
      <p className="mt-2 text-muted">Add a support form to your website. Visitors contact you and read your replies without leaving it.</p>
      <Section title="Prerequisites">
        <ul className="list-disc pl-5">
          <li>Task-tool integration configured (required)</li>
          <li>Subdomain set (required)</li>
          <li>Custom domain (optional)</li>
        </ul>
      </Section>
      <Section title="Add the widget">
        <Setups origin={origin} subdomain={subdomain} />
      </Section>
      <Section title="Attributes">
        <AttributeTable />
      </Section>
      <Section title="JavaScript interface">
        <p>
          Control the widget with <code>window.Tandem</code>. The first line below lets you call it before it has loaded.
        </p>
        <Code label="Calls before the widget has loaded" code={queueSnippet} />
        <CommandTable />
      </Section>
      <Section title="Identity verification">
        <p>
          Your server signs a token for the signed-in visitor with HS256 and the secret from Settings, Embed. The token contains{' '}
          <code>email</code>, <code>name</code> and <code>exp</code>, which is at most an hour ahead. Keep the secret on the server.
        </p>
        <div className="mt-3">
          <TokenSamples copiedMessage={copiedMessage} />
        </div>
        <p className="mt-4">Your page then passes the token to the widget.</p>
        <Code label="Identify the visitor" code={identifySnippet} />
      </Section>
      <Section title="Content-Security-Policy">
        <p>
          The widget needs neither <code>unsafe-inline</code> nor <code>unsafe-eval</code>, and works with Trusted Types. If your site
          allows only its own scripts, add these sources to its policy. Without them, the browser blocks the widget.
        </p>
        <Code label="Content-Security-Policy" code={policyLine(origin)} />
        <p className="mt-4">
          With a nonce and <code>strict-dynamic</code>, add the page’s nonce to the script tag.
        </p>
      </Section>
    </article>
  );
}

function Setups({ origin, subdomain }: { origin: string; subdomain: string }) {
  const [open, setOpen] = useState('basic');
  const setups = [
    {
      value: 'basic',
      label: 'Basic Setup',
      text: 'Paste this before </body> on every page.',
      code: basicSnippet(origin, subdomain),
    },
    {
      value: 'customized',
      label: 'Customized',
      text: 'Only the first attribute is required.',
      code: customizedSnippet(origin, subdomain),
    },
    {
      value: 'react',
      label: 'React Integration',
      text: 'Render this component once, near the root. The widget loads only once, even if the component remounts.',
      code: reactSnippet(origin, subdomain),
    },
  ];
  return (
    <Tabs value={open} onValueChange={setOpen}>
      <TabsList aria-label="Setup" className="max-w-full overflow-x-auto text-md">
        {setups.map(({ value, label }) => (
          <Tab key={value} value={value}>
            {label}
          </Tab>
        ))}
      </TabsList>
      {setups.map(({ value, label, text, code }) => (
        <TabPanel key={value} value={value} className="mt-3">
          <p>{text}</p>
          <Code label={label} code={code} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
