import { BookOpen, SearchX } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useSession } from '../../app/api';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { Spinner } from '../../ui/Spinner';
import { Tab, TabPanel, Tabs, TabsList } from '../../ui/Tabs';

const ApiPanel = lazy(() => import('./api/ApiPanel').then((module) => ({ default: module.ApiPanel })));
const BrandingPanel = lazy(() => import('./branding/BrandingPanel').then((module) => ({ default: module.BrandingPanel })));
const EmbedPanel = lazy(() => import('./embed/EmbedPanel').then((module) => ({ default: module.EmbedPanel })));
const MailPanel = lazy(() => import('./mail/MailPanel').then((module) => ({ default: module.MailPanel })));
const SecurityPanel = lazy(() => import('./SecurityPanel').then((module) => ({ default: module.SecurityPanel })));
const SlaPanel = lazy(() => import('./sla/SlaPanel').then((module) => ({ default: module.SlaPanel })));
const WebhooksPanel = lazy(() => import('./webhooks/WebhooksPanel').then((module) => ({ default: module.WebhooksPanel })));

interface SettingsPageProps {
  /** Content of the organization tab, which belongs to another feature. */
  organization: ReactNode;
  /** Content of the integrations tab, which belongs to another feature. */
  integrations: ReactNode;
  /** Shown on the security tab, below this browser's events. */
  singleSignOn: ReactNode;
}

interface SettingsTab {
  value: string;
  label: string;
  panel: ReactNode;
  className?: string;
  /** The section of the documentation about this tab, unless the panel itself links to it. */
  guide?: string;
}

/** On phones the list of tabs scrolls: brings the open one into view. */
function useTabInView(open: string | null) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return list;
}

/** Only tabs that exist are listed. Each is loaded when it is first opened. */
const tabsOf = ({ organization, integrations, singleSignOn }: SettingsPageProps): SettingsTab[] => [
  {
    value: 'branding',
    label: 'Branding',
    panel: <BrandingPanel />,
    className: 'max-w-4xl',
    guide: '/docs/domain-setup?tab=custom',
  },
  { value: 'sla', label: 'SLA', panel: <SlaPanel />, className: 'max-w-4xl', guide: '/docs/admin-guide?tab=organization#sla' },
  {
    value: 'integrations',
    label: 'Integrations',
    panel: integrations,
    className: 'max-w-4xl',
    guide: '/docs/clickup-setup?tab=connect',
  },
  { value: 'api', label: 'API', panel: <ApiPanel />, className: 'max-w-4xl' },
  { value: 'webhooks', label: 'Webhooks', panel: <WebhooksPanel />, className: 'max-w-5xl' },
  { value: 'security', label: 'Security', panel: <SecurityPanel>{singleSignOn}</SecurityPanel>, guide: '/docs/admin-guide?tab=security' },
  { value: 'embed', label: 'Embed', panel: <EmbedPanel />, className: 'max-w-4xl' },
  {
    value: 'email',
    label: 'Email',
    panel: <MailPanel />,
    className: 'max-w-4xl',
    guide: '/docs/admin-guide?tab=organization#email',
  },
  {
    value: 'organization',
    label: 'Organization',
    panel: organization,
    className: 'max-w-4xl',
    guide: '/docs/admin-guide?tab=organization',
  },
];

/** A link to the documentation of a tab. */
const GuideLink = ({ to }: { to: string }) => (
  <p className="mt-5 text-muted">
    <Link to={to} className="inline-flex items-center gap-1.5 hover:text-ink hover:underline">
      <BookOpen className="size-4" aria-hidden />
      Read about these settings in the documentation
    </Link>
  </p>
);

/** The settings of the organization; the address parameter `tab` selects the tab. */
export function SettingsPage(props: SettingsPageProps) {
  const { profile } = useSession();
  const [params, setParams] = useSearchParams();
  const tabs = tabsOf(props);
  const wanted = params.get('tab');
  const open = wanted === null ? tabs[0] : tabs.find(({ value }) => value === wanted);
  const list = useTabInView(wanted);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
      <PageHeader title="Settings" documentTitle={open ? `${open.label} settings` : 'Page not found'} />
      <div className="mx-auto max-w-7xl p-6 max-md:p-4">
        {profile.role !== 'admin' ? (
          <Alert>Only organization administrators can access these settings.</Alert>
        ) : (
          <Tabs value={open?.value ?? ''} onValueChange={(tab) => setParams({ tab })}>
            <TabsList ref={list} aria-label="Settings" className="mb-5 max-w-full overflow-x-auto">
              {tabs.map(({ value, label }) => (
                <Tab key={value} value={value}>
                  {label}
                </Tab>
              ))}
            </TabsList>
            {!open && (
              <EmptyState
                icon={SearchX}
                title="This settings page doesn’t exist"
                action={
                  <Button asChild>
                    <Link to="/settings">Open settings</Link>
                  </Button>
                }
              >
                Choose one of the tabs above, or check the address.
              </EmptyState>
            )}
            {tabs.map(({ value, panel, className, guide }) => (
              <TabPanel key={value} value={value} className={className}>
                <Suspense fallback={<Spinner className="m-auto" />}>{panel}</Suspense>
                {guide && <GuideLink to={guide} />}
              </TabPanel>
            ))}
          </Tabs>
        )}
      </div>
    </div>
  );
}
