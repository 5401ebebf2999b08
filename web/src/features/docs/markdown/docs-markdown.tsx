import { docsPageNames, type DocsPageName } from '@tandem/contracts/values';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { AdminGuidePage } from '../AdminGuidePage';
import { ApiReferenceDocument } from '../api-reference/ApiReferenceDocument';
import { AsDocument } from '../as-document';
import { BuildPage } from '../build/BuildPage';
import { ClickUpSetupPage } from '../ClickUpSetupPage';
import { CustomerGuidePage } from '../CustomerGuidePage';
import { DomainSetupPage } from '../DomainSetupPage';
import { QuickStartPage } from '../QuickStartPage';
import { HelpArticlesPage } from '../HelpArticlesPage';
import { RulesPage } from '../RulesPage';
import { WidgetSetupPage } from '../WidgetSetupPage';
import { docsSections, type DocsSectionText } from './docs-sections';
import { htmlToMarkdown } from './html-to-markdown';

export const components: Record<DocsPageName, ComponentType> = {
  'quick-start': QuickStartPage,
  'domain-setup': DomainSetupPage,
  'widget-setup': WidgetSetupPage,
  'clickup-setup': ClickUpSetupPage,
  'admin-guide': AdminGuidePage,
  rules: RulesPage,
  'help-articles': HelpArticlesPage,
  'customer-guide': CustomerGuidePage,
  build: BuildPage,
  'api-reference': ApiReferenceDocument,
};

/** Links to pages of the documentation point to their Markdown; other links become absolute. */
const linkIn = (origin: string) => (href: string) => {
  const page = /^\/docs\/([\w-]+)/.exec(href)?.[1];
  if (page !== undefined) return `${origin}/docs/${page}.md`;
  return href.startsWith('/') ? origin + href : href;
};

/** Signed out, with all tabs. */
export function htmlOf(name: DocsPageName): string {
  const Page = components[name];
  return renderToStaticMarkup(
    <MemoryRouter initialEntries={[`/docs/${name}`]}>
      <AsDocument value>
        <Page />
      </AsDocument>
    </MemoryRouter>,
  );
}

/** Each page as Markdown, rendered from the same components: signed out, with all tabs. */
export const docsMarkdown = (): [name: DocsPageName, markdown: string][] =>
  docsPageNames.map((name) => [name, htmlToMarkdown(htmlOf(name), linkIn(location.origin))]);

/** The texts of all sections, by page. */
export const docsSearchIndex = (): Partial<Record<DocsPageName, DocsSectionText[]>> =>
  Object.fromEntries(docsPageNames.map((name) => [name, docsSections(htmlOf(name))]));
