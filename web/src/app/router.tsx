import { Suspense, type ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { hasPortalHome, readSite } from '../lib/site';
import { FirstSkeleton } from '../ui/PageSkeletons';
import { t } from '../lib/staff-texts';
import { opensStaffPage } from './first-reads';
import { page } from './lazy-page';

// Public pages: they load neither the store nor any other code of the staff app.
const LandingPage = page(() => import('../features/landing/LandingPage'), 'LandingPage');
const ComparePage = page(() => import('../features/landing/ComparePage'), 'ComparePage');
const PrivacyPage = page(() => import('../features/landing/PrivacyPage'), 'PrivacyPage');
const StatusPage = page(() => import('../features/landing/StatusPage'), 'StatusPage');
const ChangelogPage = page(() => import('../features/landing/ChangelogPage'), 'ChangelogPage');
const CustomerPages = page(() => import('../features/portal/language/CustomerPages'), 'CustomerPages');
const PortalHomePage = page(() => import('../features/portal/home/PortalHomePage'), 'PortalHomePage');
const PortalNotFoundPage = page(() => import('../features/portal/PortalNotFoundPage'), 'PortalNotFoundPage');
const SubmitTicketPage = page(() => import('../features/portal/SubmitTicketPage'), 'SubmitTicketPage');
const CheckTicketStatusPage = page(() => import('../features/portal/CheckTicketStatusPage'), 'CheckTicketStatusPage');
const TicketLookupPage = page(() => import('../features/portal/TicketLookupPage'), 'TicketLookupPage');
const TicketStatusPage = page(() => import('../features/portal/status/TicketStatusPage'), 'TicketStatusPage');
const SurveyPage = page(() => import('../features/portal/survey/SurveyPage'), 'SurveyPage');
const loadHelpPages = () => import('../features/portal/help/HelpPages');
const HelpPage = page(loadHelpPages, 'HelpPage');
const HelpCategoryPage = page(loadHelpPages, 'HelpCategoryPage');
const ArticlePage = page(() => import('../features/portal/help/ArticlePage'), 'ArticlePage');

const DocsRoutes = page(() => import('./DocsRoutes'), 'DocsRoutes');
const NotFoundPage = page(() => import('./NotFoundPage'), 'NotFoundPage');

// Staff pages.
const StaffApp = page(async () => {
  const module = await import('./StaffApp');
  if (opensStaffPage) await module.readFirstSession();
  return module;
}, 'StaffApp');
const Guard = page(() => import('./guards'), 'Guard');
const SettingsGuard = page(() => import('./guards'), 'SettingsGuard');
const Frame = page(() => import('./Frame'), 'Frame');
const AuthPage = page(() => import('../features/auth/AuthPage'), 'AuthPage');
const ConfirmEmailPage = page(() => import('../features/auth/ConfirmEmailPage'), 'ConfirmEmailPage');
const ForgotPasswordPage = page(() => import('../features/auth/ForgotPasswordPage'), 'ForgotPasswordPage');
const ResetPasswordPage = page(() => import('../features/auth/ResetPasswordPage'), 'ResetPasswordPage');
const ConfirmEmailChangePage = page(() => import('../features/auth/ConfirmEmailChangePage'), 'ConfirmEmailChangePage');
const SsoPage = page(() => import('../features/auth/sso/SsoPage'), 'SsoPage');
const OnboardingPage = page(() => import('../features/onboarding/OnboardingPage'), 'OnboardingPage');
const AccountPage = page(() => import('../features/account/AccountPage'), 'AccountPage');
const DashboardPage = page(() => import('../features/dashboard/DashboardPage'), 'DashboardPage');
const TicketsPage = page(() => import('../features/tickets/list/TicketsPage'), 'TicketsPage');
const TicketDetailPage = page(() => import('../features/tickets/detail/TicketDetailPage'), 'TicketDetailPage');
const NewTicketPage = page(() => import('../features/tickets/form/NewTicketPage'), 'NewTicketPage');
const SampleTicketPage = page(() => import('../features/tickets/sample/SampleTicketPage'), 'SampleTicketPage');
const EditTicketPage = page(() => import('../features/tickets/form/EditTicketPage'), 'EditTicketPage');
const CannedRepliesPage = page(() => import('../features/tickets/macros/CannedRepliesPage'), 'CannedRepliesPage');
const ArticlesPage = page(() => import('../features/articles/ArticlesPage'), 'ArticlesPage');
const NewArticlePage = page(() => import('../features/articles/ArticlesPage'), 'NewArticlePage');
const ArticleEditorPage = page(() => import('../features/articles/ArticleEditorPage'), 'ArticleEditorPage');
const AnalyticsPage = page(async () => {
  const module = await import('../features/analytics/AnalyticsPage');
  await module.awaitFirstFigures();
  return module;
}, 'AnalyticsPage');
const OperatorPage = page(() => import('../features/operator/OperatorPage'), 'OperatorPage');
const AcceptInvitationPage = page(() => import('../features/team/AcceptInvitationPage'), 'AcceptInvitationPage');
const IntegrationPage = page(() => import('../features/integration/IntegrationPage'), 'IntegrationPage');
const AuthorizedPage = page(() => import('../features/integration/AuthorizedPage'), 'AuthorizedPage');
const SettingsRoute = page(() => import('./SettingsRoute'), 'SettingsRoute');
const SettingsFrame = page(() => import('../features/settings/SettingsFrame'), 'SettingsFrame');

// Every staff page needs these three chunks: request them in parallel, otherwise each waits for the one that wraps it.
if (opensStaffPage) void Promise.all([import('./StaffApp'), import('./guards'), import('./Frame')]).catch(() => undefined);

const customerRoutes = (
  <Route element={<CustomerPages />}>
    <Route path="/submit-ticket" element={<SubmitTicketPage />} />
    <Route path="/ticket-status/check" element={<CheckTicketStatusPage />} />
    <Route path="/ticket-status/lookup" element={<TicketLookupPage />} />
    <Route path="/ticket-status/:id" element={<TicketStatusPage />} />
    <Route path="/survey/:ticketId" element={<SurveyPage />} />
    <Route path="/help" element={<HelpPage />} />
    <Route path="/help/categories/:address" element={<HelpCategoryPage />} />
    <Route path="/help/:address" element={<ArticlePage />} />
  </Route>
);

const authRoutes = (
  <>
    <Route path="/auth" element={<AuthPage />} />
    <Route path="/auth/sso" element={<SsoPage />} />
    <Route path="/auth/confirm" element={<ConfirmEmailPage />} />
    <Route path="/auth/forgot-password" element={<ForgotPasswordPage />} />
    <Route path="/auth/reset-password" element={<ResetPasswordPage />} />
    <Route path="/auth/confirm-email-change" element={<ConfirmEmailChangePage />} />
  </>
);

const asCustomer = (customerPage: ReactNode) => <CustomerPages>{customerPage}</CustomerPages>;

/** All routes, and who may open them. */
export function AppRoutes() {
  const notFound = readSite().kind === 'portal' ? asCustomer(<PortalNotFoundPage />) : <NotFoundPage />;
  return (
    <Suspense fallback={<FirstSkeleton />}>
      <Routes>
        <Route path="/" element={hasPortalHome(readSite()) ? asCustomer(<PortalHomePage />) : <LandingPage />} />
        <Route path="/compare" element={<ComparePage />} />
        <Route path="/privacy" element={<PrivacyPage />} />
        <Route path="/status" element={<StatusPage />} />
        <Route path="/changelog" element={<ChangelogPage />} />
        {customerRoutes}
        <Route path="/docs/*" element={<DocsRoutes notFound={notFound} />} />

        <Route element={<StaffApp />}>
          {authRoutes}
          <Route path="/accept-invitation" element={<AcceptInvitationPage />} />
          <Route path="/operator" element={<OperatorPage />} />
          <Route element={<Guard />}>
            <Route path="/onboarding" element={<OnboardingPage />} />
            <Route element={<Guard minimumRole="admin" />}>
              <Route path="/auth/callback/:provider" element={<AuthorizedPage />} />
            </Route>
            <Route element={<Frame />}>
              <Route path="/dashboard" element={<DashboardPage />} />
              <Route path="/tickets" element={<TicketsPage />}>
                <Route path=":id" element={<TicketDetailPage />} />
              </Route>
              <Route path="/sample-ticket" element={<SampleTicketPage />} />
              <Route path="/tickets/new" element={<NewTicketPage />} />
              <Route path="/tickets/:id/edit" element={<EditTicketPage />} />
              <Route path="/articles" element={<ArticlesPage />} />
              <Route path="/articles/new" element={<NewArticlePage />} />
              <Route path="/articles/:id" element={<ArticleEditorPage />} />
              <Route element={<Guard minimumRole="manager" />}>
                <Route path="/analytics" element={<AnalyticsPage />} />
              </Route>
              <Route element={<Guard minimumRole="admin" />}>
                <Route path="/integration" element={<IntegrationPage />} />
              </Route>
              <Route element={<SettingsFrame />}>
                <Route path="/account" element={<AccountPage />} />
                <Route path="/canned-replies" element={<CannedRepliesPage />} />
                <Route element={<SettingsGuard />}>
                  <Route path="/settings" element={<SettingsRoute />} />
                  <Route
                    path="/organization-settings"
                    element={<SettingsRoute title={t('app.organization_settings')} tab="organization" />}
                  />
                </Route>
              </Route>
            </Route>
          </Route>
        </Route>

        <Route path="*" element={notFound} />
      </Routes>
    </Suspense>
  );
}
