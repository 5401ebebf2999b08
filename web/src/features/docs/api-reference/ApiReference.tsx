import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { portalAddress } from '../../../lib/portal-address';
import { DocsPage } from '../DocsPage';
import { docsLink } from '../DocsSection';
import { DocsTabs } from '../DocsTabs';
import { useSubdomain } from '../use-subdomain';
import { WidgetApi } from './WidgetApi';

interface ApiReferenceProps {
  RestApi: ComponentType<{ base: string }>;
  Webhooks: ComponentType;
  RateLimits: ComponentType<{ base: string }>;
}

/** The reference with its tabs, of which a browser loads only the open one. */
export function ApiReference({ RestApi, Webhooks, RateLimits }: ApiReferenceProps) {
  const subdomain = useSubdomain();
  const base = `${portalAddress(subdomain, null)}/api/v1`;
  return (
    <DocsPage name="api-reference">
      <p className="mt-4">
        New to the API?{' '}
        <Link to="/docs/build" className={docsLink}>
          Build with Tandem
        </Link>{' '}
        shows the first steps.
      </p>
      <DocsTabs
        label="API reference"
        tabs={[
          { value: 'widget', label: 'Widget API', panel: <WidgetApi subdomain={subdomain} /> },
          { value: 'rest', label: 'REST API', panel: <RestApi base={base} /> },
          { value: 'webhooks', label: 'Webhooks', panel: <Webhooks /> },
          { value: 'limits', label: 'Rate Limits', panel: <RateLimits base={base} /> },
        ]}
      />
    </DocsPage>
  );
}
