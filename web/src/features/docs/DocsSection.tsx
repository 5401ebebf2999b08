import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/CodeBlock';

export const DocsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8 flex flex-col gap-3">
    <h2 className="text-lg">{title}</h2>
    {children}
  </section>
);

export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-muted">{children}</ol>
);
export const Points = ({ children }: { children: ReactNode }) => (
  <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">{children}</ul>
);

/** A code sample with a copy button. */
export const DocsCode = (props: { label: string; code: string }) => <CodeBlock {...props} copiedMessage="Code copied to clipboard!" />;

/** Style of links in running text. */
export const docsLink = 'font-medium text-accent-text underline underline-offset-2';
