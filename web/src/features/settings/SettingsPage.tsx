import { roleRank } from '@tandem/contracts/values';
import { BookOpen, SearchX } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useSession } from '../../app/api';
import { settingsSections, type SettingsSection, type SettingsSectionKey } from '../../lib/settings-sections';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { CardsSkeleton } from '../../ui/PageSkeletons';

const ApiPanel = lazy(() => import('./api/ApiPanel').then((module) => ({ default: module.ApiPanel })));
const AuditLog = lazy(() => import('./AuditLog').then((module) => ({ default: module.AuditLog })));
const BrandingPanel = lazy(() => import('./branding/BrandingPanel').then((module) => ({ default: module.BrandingPanel })));
const EmbedPanel = lazy(() => import('./embed/EmbedPanel').then((module) => ({ default: module.EmbedPanel })));
const ExportPanel = lazy(() => import('./transfer/ExportPanel').then((module) => ({ default: module.ExportPanel })));
const FieldsPanel = lazy(() => import('./custom-fields/FieldsPanel').then((module) => ({ default: module.FieldsPanel })));
const ImportPanel = lazy(() => import('./transfer/ImportPanel').then((module) => ({ default: module.ImportPanel })));
const LanguagesPanel = lazy(() => import('./languages/LanguagesPanel').then((module) => ({ default: module.LanguagesPanel })));
const LocalSecurity = lazy(() => import('./LocalSecurity').then((module) => ({ default: module.LocalSecurity })));
const MailPanel = lazy(() => import('./mail/MailPanel').then((module) => ({ default: module.MailPanel })));
const PrivacyPanel = lazy(() => import('./privacy/PrivacyPanel').then((module) => ({ default: module.PrivacyPanel })));
const RulesPanel = lazy(() => import('./rules/RulesPanel').then((module) => ({ default: module.RulesPanel })));
const SlaPanel = lazy(() => import('./sla/SlaPanel').then((module) => ({ default: module.SlaPanel })));
const WebhooksPanel = lazy(() => import('./webhooks/WebhooksPanel').then((module) => ({ default: module.WebhooksPanel })));

/** Panels that belong to other features. */
export interface OtherPanels {
  organization: ReactNode;
  portal: ReactNode;
  integrations: ReactNode;
  signIn: ReactNode;
}

interface Panel {
  section: SettingsSectionKey;
  panel: ReactNode;
  isWide?: boolean;
  /** The section of the documentation about this panel, unless the panel itself links to it. */
  guide?: string;
}

const panelsOf = ({ organization, portal, integrations, signIn }: OtherPanels): Partial<Record<string, Panel>> => ({
  organization: { section: 'organization', panel: organization, guide: '/docs/admin-guide?tab=organization' },
  portal: { section: 'portal', panel: portal, guide: '/docs/admin-guide?tab=organization#customers' },
  branding: { section: 'branding', panel: <BrandingPanel />, isWide: true, guide: '/docs/domain-setup?tab=custom' },
  email: { section: 'email', panel: <MailPanel />, guide: '/docs/admin-guide?tab=organization#email' },
  embed: { section: 'embed', panel: <EmbedPanel /> },
  languages: {
    section: 'languages',
    panel: <LanguagesPanel />,
    guide: '/docs/admin-guide?tab=organization#languages',
  },
  sla: { section: 'sla', panel: <SlaPanel />, guide: '/docs/admin-guide?tab=organization#sla' },
  rules: { section: 'rules', panel: <RulesPanel />, guide: '/docs/rules' },
  fields: { section: 'fields', panel: <FieldsPanel />, guide: '/docs/admin-guide?tab=organization#custom-fields' },
  integrations: { section: 'integrations', panel: integrations, guide: '/docs/clickup-setup?tab=connect' },
  api: { section: 'api', panel: <ApiPanel /> },
  webhooks: { section: 'webhooks', panel: <WebhooksPanel />, isWide: true },
  import: { section: 'import', panel: <ImportPanel />, guide: '/docs/admin-guide?tab=data#import' },
  export: { section: 'export', panel: <ExportPanel />, guide: '/docs/admin-guide?tab=data#export' },
  privacy: { section: 'privacy', panel: <PrivacyPanel />, guide: '/docs/admin-guide?tab=privacy' },
  'sign-in': { section: 'signIn', panel: signIn, guide: '/docs/admin-guide?tab=security#single-sign-on' },
  audit: { section: 'audit', panel: <AuditLog />, isWide: true, guide: '/docs/admin-guide?tab=security#audit-log' },
  security: { section: 'security', panel: <LocalSecurity />, guide: '/docs/admin-guide?tab=security#sessions' },
});

const GuideLink = ({ to }: { to: string }) => (
  <p className="mt-5 text-muted after-skeletons print:hidden">
    <Link to={to} className="inline-flex items-center gap-1.5 hover:text-ink hover:underline">
      <BookOpen className="size-4" aria-hidden />
      {t('settings.read_documentation')}
    </Link>
  </p>
);

const UnknownPanel = () => (
  <EmptyState
    icon={SearchX}
    title={t('settings.this_settings_page_doesnt_exist')}
    action={
      <Button asChild>
        <Link to="/settings">{t('settings.open_settings')}</Link>
      </Button>
    }
  >
    {t('settings.choose_another_page_in_list')}
  </EmptyState>
);

/** The settings of the organization; the address parameter `tab` selects the panel, which is loaded when it is opened. */
export function SettingsPage({ title = t('settings.settings'), tab, ...others }: OtherPanels & { title?: string; tab?: string }) {
  const { profile } = useSession();
  const [params] = useSearchParams();
  const open = panelsOf(others)[tab ?? params.get('tab') ?? 'branding'];
  const section: SettingsSection | undefined = open && settingsSections[open.section];
  const isAllowed = profile.role !== null && roleRank[profile.role] >= roleRank[section?.minimumRole ?? 'admin'];
  const label = section?.label;
  const documentTitle = label ? t('settings.label_settings', { label }) : t('settings.page_not_found');
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-canvas">
      <PageHeader title={title} documentTitle={tab ? title : documentTitle} />
      <div className={`p-6 max-md:p-4 ${open?.isWide ? 'max-w-6xl' : 'max-w-4xl'}`}>
        {!isAllowed ? (
          <Alert>{t('settings.only_administrators_can_change_settings')}</Alert>
        ) : (
          <Suspense fallback={<CardsSkeleton />}>
            {open?.panel ?? <UnknownPanel />}
            {open?.guide && <GuideLink to={open.guide} />}
          </Suspense>
        )}
      </div>
    </div>
  );
}
