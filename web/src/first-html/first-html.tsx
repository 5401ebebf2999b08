import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ComparePage } from '../features/landing/ComparePage';
import { ChangelogPage } from '../features/landing/ChangelogPage';
import { LandingPage } from '../features/landing/LandingPage';
import { PrivacyPage } from '../features/landing/PrivacyPage';
import { StatusPage } from '../features/landing/StatusPage';
import { CheckTicketStatusPage } from '../features/portal/CheckTicketStatusPage';
import { PortalHomePage } from '../features/portal/home/PortalHomePage';
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
const portalPages: Page[] = [
  ['/', PortalHomePage],
  ['/submit-ticket', SubmitTicketPage],
  ['/ticket-status/check', CheckTicketStatusPage],
];

/** The HTML of the pages on the product's host (`which: 'product'`) or on an organization's, by their paths. */
export const firstHtml = (which: 'product' | 'portal'): [path: string, html: string][] =>
  (which === 'product' ? productPages : portalPages).map(([path, Page]) => [
    path,
    withoutBehavior(
      renderToString(
        <StaticRouter location={path}>
          <Page />
        </StaticRouter>,
      ),
    ),
  ]);

/**
 * A form that cannot be sent yet must not load the page again with its fields in the address: a disabled button also stops Enter. A file
 * cannot be moved to the app. The colors come from the head of the page, where the gateway writes those of the organization.
 */
const withoutBehavior = (html: string): string =>
  html
    .replaceAll('type="submit"', 'type="submit" disabled=""')
    .replace(/<input type="file"[^>]*>/g, '')
    .replace(/(<div class="portal [^"]*") style="[^"]*"/, '$1');
