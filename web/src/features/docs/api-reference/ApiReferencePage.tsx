import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { portalAddress } from '../../../lib/portal-address';
import { useDocumentTitle } from '../../../ui/PageHeader';
import { Tab, TabPanel, Tabs, TabsList } from '../../../ui/Tabs';
import { docsLink } from '../DocsSection';
import { useSectionInView } from '../use-section-in-view';
import { useSubdomain } from '../use-subdomain';
import { RateLimits } from './RateLimits';
import { RestApi } from './RestApi';
import { Webhooks } from './Webhooks';
import { WidgetApi } from './WidgetApi';

/** /docs/api-reference; the address parameter `tab` selects the tab. */
export function ApiReferencePage() {
  const [params, setParams] = useSearchParams();
  const subdomain = useSubdomain();
  useDocumentTitle('API reference');
  useSectionInView();
  const base = `${portalAddress(subdomain, null)}/api/v1`;
  const tabs: { value: string; label: string; panel: ReactNode }[] = [
    { value: 'widget', label: 'Widget API', panel: <WidgetApi subdomain={subdomain} /> },
    { value: 'rest', label: 'REST API', panel: <RestApi base={base} /> },
    { value: 'webhooks', label: 'Webhooks', panel: <Webhooks /> },
    { value: 'limits', label: 'Rate Limits', panel: <RateLimits base={base} /> },
  ];
  const wanted = params.get('tab');
  const open = tabs.some(({ value }) => value === wanted) ? wanted! : 'widget';
  return (
    <article className="text-pretty [&_code]:font-mono [&_li_code]:text-md [&_p_code]:text-md">
      <h1 className="text-2xl tracking-tight">API reference</h1>
      <p className="mt-2 text-muted">
        Everything your programs can do with Tandem.{' '}
        <Link to="/docs/build" className={docsLink}>
          Build with Tandem
        </Link>{' '}
        shows the first steps.
      </p>
      <Tabs value={open} onValueChange={(tab) => setParams({ tab })} className="mt-6">
        <TabsList aria-label="API reference" className="max-w-full overflow-x-auto text-md print:hidden">
          {tabs.map(({ value, label }) => (
            <Tab key={value} value={value}>
              {label}
            </Tab>
          ))}
        </TabsList>
        {tabs.map(({ value, panel }) => (
          <TabPanel key={value} value={value}>
            {panel}
          </TabPanel>
        ))}
      </Tabs>
    </article>
  );
}
