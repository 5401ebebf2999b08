import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { CodeBlock } from '../../ui/CodeBlock';
import { highlight, type CodeLanguage } from './highlight';

export const DocsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="mt-8 flex flex-col gap-3">
    <h2 className="text-lg">{title}</h2>
    {children}
  </section>
);

/** A section with an address of its own: its heading is the link. */
export function LinkedSection({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  const { search } = useLocation();
  return (
    <section id={id} className="mt-10 flex scroll-mt-4 flex-col gap-3">
      <h2 className="text-lg">
        <Link to={{ search, hash: id }} className="rounded-sm hover:underline">
          {title}
        </Link>
      </h2>
      {children}
    </section>
  );
}

export const Steps = ({ children }: { children: ReactNode }) => (
  <ol className="flex list-decimal flex-col gap-2 pl-5 marker:text-muted">{children}</ol>
);
export const Points = ({ children }: { children: ReactNode }) => (
  <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">{children}</ul>
);

/** A code sample with a copy button. `language` highlights it. */
export const DocsCode = ({ language, ...props }: { label: string; code: string; className?: string; language?: CodeLanguage }) => (
  <CodeBlock {...props} copiedMessage="Code copied to clipboard!">
    {language && highlight(props.code, language)}
  </CodeBlock>
);

/** Style of links in running text. */
export const docsLink = 'font-medium text-accent-text underline underline-offset-2';
