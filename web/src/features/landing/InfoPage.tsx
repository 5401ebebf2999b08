import type { ReactNode } from 'react';
import { cn } from '../../lib/cn';
import { useFirstHtml } from '../../lib/first-html';
import { useDocumentTitle } from '../../ui/PageHeader';
import { LandingFooter } from './LandingFooter';
import { LandingHeader } from './LandingHeader';
import { column } from './layout';
import { useVisitor } from './use-visitor';

/** A page of the product's website: a heading, a sentence below it, and its content. */
export function InfoPage({ title, intro, children }: { title: string; intro: ReactNode; children: ReactNode }) {
  useFirstHtml();
  useDocumentTitle(title);
  const visitor = useVisitor();
  return (
    <div className="bg-canvas pt-14 text-base">
      <LandingHeader visitor={visitor} home="/" />
      <main className={cn(column, 'py-16 sm:py-24')}>
        <h1 className="text-[clamp(2.25rem,1.6rem+2.4vw,3.5rem)] leading-[1.05] font-semibold tracking-[-0.035em]">{title}</h1>
        <p className="mt-5 max-w-[38rem] text-lg text-pretty text-muted">{intro}</p>
        {children}
      </main>
      <LandingFooter />
    </div>
  );
}

/** A section of an `InfoPage`, at a width that is comfortable to read. */
export const InfoSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-12 max-w-[42rem] text-pretty [&_li]:py-1 [&_p]:mt-3 [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:pl-5">
    <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
    {children}
  </section>
);
