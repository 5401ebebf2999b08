import { Link } from 'react-router-dom';
import { basicSnippet, customFieldSnippet, customizedSnippet, identifySnippet, queueSnippet } from '../../../lib/widget-snippet';
import { docsLink, DocsCode, DocsSection } from '../DocsSection';
import { AttributeTable, CommandTable } from '../WidgetTables';

export function WidgetApi({ subdomain }: { subdomain: string }) {
  const { origin } = location;
  return (
    <>
      <DocsSection id="widget-snippet" title="Snippet">
        <p>
          Add this before <code>{'</body>'}</code> on every page. <code>data-organization</code> is the only required attribute.{' '}
          <Link to="/docs/widget-setup" className={docsLink}>
            Widget setup
          </Link>{' '}
          explains frameworks and Content-Security-Policy.
        </p>
        <DocsCode label="Widget" language="html" code={basicSnippet(origin, subdomain)} />
        <DocsCode label="Widget with all attributes" language="html" code={customizedSnippet(origin, subdomain)} />
      </DocsSection>
      <DocsSection id="widget-attributes" title="Attributes">
        <AttributeTable />
        <p>
          Attributes that start with <code>data-field-</code> set custom fields of the new ticket. Write the underscores of the key as
          dashes. Separate several choices with commas, and write dates like <code>2026-03-31</code> and yes or no as <code>true</code> or{' '}
          <code>false</code>. The form shows the values of the fields that it asks for. For other fields, allow this in the field’s
          settings. Visitors can change these values, so don’t trust them.
        </p>
        <DocsCode label="Widget with a custom field" language="html" code={customFieldSnippet(origin, subdomain)} />
      </DocsSection>
      <DocsSection id="widget-commands" title="JavaScript commands">
        <p>
          Control the widget with <code>window.Tandem</code>. The first line below lets you call it before it has loaded.
        </p>
        <DocsCode label="Calls before the widget has loaded" language="typescript" code={queueSnippet} />
        <CommandTable />
      </DocsSection>
      <DocsSection id="widget-identity" title="Signed-in visitors">
        <p>
          Your server signs a token for the visitor, and your page passes it to the widget.{' '}
          <Link to="/docs/widget-setup" className={docsLink}>
            Widget setup
          </Link>{' '}
          shows how to sign it.
        </p>
        <DocsCode label="Identify the visitor" language="typescript" code={identifySnippet} />
      </DocsSection>
    </>
  );
}
