import { useEffect } from 'react';
import { useFirstHtml } from '../../lib/first-html';
import { useDocumentTitle } from '../../ui/PageHeader';
import { CookieNotice } from './CookieNotice';
import { Features } from './Features';
import { HelpBanner } from './HelpBanner';
import { Figures, Hero } from './Hero';
import { Integration } from './Integration';
import { LandingFooter } from './LandingFooter';
import { LandingHeader } from './LandingHeader';
import { Pricing } from './Pricing';
import { Product } from './Product';
import { Support } from './Support';
import { useVisitor } from './use-visitor';

export function LandingPage() {
  useFirstHtml();
  useDocumentTitle('The help desk with two-way task sync');
  useOpenedAnchor();
  const visitor = useVisitor();
  return (
    <div className="bg-canvas pt-14 text-base">
      <LandingHeader visitor={visitor} />
      <HelpBanner />
      <main>
        <Hero />
        <Figures />
        <Product />
        <Features />
        <Integration />
        <Pricing />
        <Support />
      </main>
      <LandingFooter />
      <CookieNotice />
    </div>
  );
}

/** Scrolls to the linked section. The browser itself tried this before the page was rendered. */
function useOpenedAnchor(): void {
  useEffect(() => {
    if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}
