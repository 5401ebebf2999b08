import type { ReactNode } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { DocsLayout } from '../features/docs/DocsLayout';
import { page } from './lazy-page';

const QuickStartPage = page(() => import('../features/docs/QuickStartPage'), 'QuickStartPage');
const DomainSetupPage = page(() => import('../features/docs/DomainSetupPage'), 'DomainSetupPage');
const CustomerGuidePage = page(() => import('../features/docs/CustomerGuidePage'), 'CustomerGuidePage');
const ClickUpSetupPage = page(() => import('../features/docs/ClickUpSetupPage'), 'ClickUpSetupPage');
const AdminGuidePage = page(() => import('../features/docs/AdminGuidePage'), 'AdminGuidePage');
const RulesPage = page(() => import('../features/docs/RulesPage'), 'RulesPage');
const HelpArticlesPage = page(() => import('../features/docs/HelpArticlesPage'), 'HelpArticlesPage');
const BuildPage = page(() => import('../features/docs/build/BuildPage'), 'BuildPage');
const ApiReferencePage = page(() => import('../features/docs/api-reference/ApiReferencePage'), 'ApiReferencePage');
const WidgetSetupPage = page(() => import('../features/docs/WidgetSetupPage'), 'WidgetSetupPage');

/** The routes of the documentation, apart from the others: each lazy page makes the first load of all pages larger. */
export const DocsRoutes = ({ notFound }: { notFound: ReactNode }) => (
  <Routes>
    <Route element={<DocsLayout />}>
      {/* There is no overview page: open the first document. */}
      <Route index element={<Navigate to="/docs/quick-start" replace />} />
      <Route path="quick-start" element={<QuickStartPage />} />
      <Route path="domain-setup" element={<DomainSetupPage />} />
      <Route path="widget-setup" element={<WidgetSetupPage />} />
      <Route path="clickup-setup" element={<ClickUpSetupPage />} />
      <Route path="admin-guide" element={<AdminGuidePage />} />
      <Route path="rules" element={<RulesPage />} />
      <Route path="help-articles" element={<HelpArticlesPage />} />
      <Route path="customer-guide" element={<CustomerGuidePage />} />
      <Route path="build" element={<BuildPage />} />
      <Route path="api-reference" element={<ApiReferencePage />} />
    </Route>
    <Route path="*" element={notFound} />
  </Routes>
);
