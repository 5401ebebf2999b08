import type { Language } from '@tandem/contracts/values';
import type { ComponentType, ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Route, Routes, StaticRouter } from 'react-router-dom';
import { AdminGuidePage } from '../features/docs/AdminGuidePage';
import { ApiReferenceDocument } from '../features/docs/api-reference/ApiReferenceDocument';
import { BuildPage } from '../features/docs/build/BuildPage';
import { ClickUpSetupPage } from '../features/docs/ClickUpSetupPage';
import { CustomerGuidePage } from '../features/docs/CustomerGuidePage';
import { DocsLayout } from '../features/docs/DocsLayout';
import { DomainSetupPage } from '../features/docs/DomainSetupPage';
import { QuickStartPage } from '../features/docs/QuickStartPage';
import { HelpArticlesPage } from '../features/docs/HelpArticlesPage';
import { RulesPage } from '../features/docs/RulesPage';
import { WidgetSetupPage } from '../features/docs/WidgetSetupPage';
import { ComparePage } from '../features/landing/ComparePage';
import { ChangelogPage } from '../features/landing/ChangelogPage';
import { LandingPage } from '../features/landing/LandingPage';
import { PrivacyPage } from '../features/landing/PrivacyPage';
import { StatusPage } from '../features/landing/StatusPage';
import { CheckTicketStatusPage } from '../features/portal/CheckTicketStatusPage';
import { PortalHomePage } from '../features/portal/home/PortalHomePage';
import { ArticleHeader } from '../features/portal/help/ArticleHeader';
import { Breadcrumb } from '../features/portal/help/Breadcrumb';
import { HelpPage } from '../features/portal/help/HelpPages';
import { ArticleBody } from '../lib/article-markdown';
import { loadTexts, PageLanguage, showSharedTexts } from '../features/portal/language/texts';
import { PortalFrame } from '../features/portal/PortalFrame';
import { SubmitTicketPage } from '../features/portal/SubmitTicketPage';

/** Runs in the build only (web/vite.first-html.ts). */

type Page = [path: string, Page: ComponentType];
const productPages: Page[] = [
  ['/', LandingPage],
  ['/compare', ComparePage],
  ['/privacy', PrivacyPage],
  ['/status', StatusPage],
  ['/changelog', ChangelogPage],
];
const docsPages: Page[] = [
  ['/docs/quick-start', QuickStartPage],
  ['/docs/domain-setup', DomainSetupPage],
  ['/docs/widget-setup', WidgetSetupPage],
  ['/docs/clickup-setup', ClickUpSetupPage],
  ['/docs/admin-guide', AdminGuidePage],
  ['/docs/rules', RulesPage],
  ['/docs/help-articles', HelpArticlesPage],
  ['/docs/customer-guide', CustomerGuidePage],
  ['/docs/build', BuildPage],
  // The page itself loads its tabs one by one.
  ['/docs/api-reference', ApiReferenceDocument],
];
/** The gateway inserts the title and the text of an article. */
function ArticlePage() {
  return (
    <PortalFrame title="">
      <Breadcrumb />
      <article>
        <ArticleHeader title="tandem:title" dates={'\u00a0'} />
        <ArticleBody>tandem:article</ArticleBody>
      </article>
    </PortalFrame>
  );
}
const portalPages: Page[] = [
  ['/', PortalHomePage],
  ['/help', HelpPage],
  ['/help/:address', ArticlePage],
  ['/submit-ticket', SubmitTicketPage],
  ['/ticket-status/check', CheckTicketStatusPage],
];

type Rendered = Record<string, string>;
const render = (pages: Page[], framed: (page: ReactNode) => ReactNode = (page) => page): Rendered =>
  Object.fromEntries(
    pages.map(([path, Page]) => {
      const html = renderToString(<StaticRouter location={path}>{framed(<Page />)}</StaticRouter>);
      // React renders the fallback where a component throws or still loads.
      if (html.includes('<!--$!-->')) throw new Error(`A part of ${path} cannot be rendered in the build`);
      return [path, withoutBehavior(html)];
    }),
  );

const inDocsLayout = (page: ReactNode) => (
  <Routes>
    <Route element={<DocsLayout />}>
      <Route path="*" element={page} />
    </Route>
  </Routes>
);

/** The HTML of the pages on the product's host, by path. A page with tabs shows its first tab. */
export const productHtml = (): Rendered => ({ ...render(productPages), ...render(docsPages, inDocsLayout) });

/** The HTML of the pages on an organization's host, by path. */
export async function portalHtml(language: Language): Promise<Rendered> {
  const t = await loadTexts(language, false);
  showSharedTexts(t);
  const value = { t, change: () => undefined };
  return render(portalPages, (page) => <PageLanguage value={value}>{page}</PageLanguage>);
}

/** Title and description of the customer pages, for the head of the first HTML. The gateway has the English ones. */
export async function portalHeads(language: Language): Promise<Record<string, { title: string; description: string }>> {
  const t = await loadTexts(language, true);
  return {
    '/': { title: t('home.page'), description: t('home.text') },
    '/help': { title: t('help.page'), description: t('help.text') },
    '/help/categories/:address': { title: t('help.page'), description: t('help.text') },
    '/help/:address': { title: t('help.page'), description: t('help.text') },
    '/submit-ticket': { title: t('frame.submit'), description: t('submit.text') },
    '/ticket-status/check': { title: t('check.page'), description: t('check.text') },
    '/ticket-status/lookup': { title: t('check.page'), description: t('check.text') },
    '/ticket-status/:id': { title: t('status_page.page'), description: t('home.check_text') },
    '/survey/:ticketId': { title: t('survey.feedback'), description: t('survey.feedback_hint') },
  };
}

/**
 * Disables what needs the app. Submitting a form before the app has loaded would reload the page with the fields in its address; a disabled
 * button also prevents submission with Enter. The app cannot take over a chosen file. Colors come from the head of the page, where the
 * gateway writes those of the organization.
 */
const withoutBehavior = (html: string): string =>
  html
    .replaceAll('type="submit"', 'type="submit" disabled=""')
    .replace(/<input type="file"[^>]*>/g, '')
    .replace(/(<div class="portal [^"]*") style="[^"]*"/, '$1');
