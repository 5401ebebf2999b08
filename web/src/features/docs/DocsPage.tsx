import { docsPageNames, docsPages, type DocsPageName } from '@tandem/contracts/values';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { use, useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useFirstHtml } from '../../lib/first-html';
import { readSite } from '../../lib/site';
import { useDocumentTitle } from '../../ui/PageHeader';
import { AsDocument } from './as-document';
import { OnThisPage } from './OnThisPage';
import { useSectionInView } from './use-section-in-view';

interface DocsPageProps {
  name: DocsPageName;
  children: ReactNode;
}

/** One page: its title and description, its content, the list of its sections, and the pages before and after. */
export function DocsPage({ name, children }: DocsPageProps) {
  const { title, description } = docsPages[name];
  const article = useRef<HTMLElement>(null);
  const isDocument = use(AsDocument);
  useFirstHtml();
  useDocumentTitle(title);
  useSectionInView();
  return (
    <div className="gap-x-12 xl:grid xl:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0 max-w-3xl xl:order-first">
        <article
          ref={article}
          className="leading-relaxed text-pretty [&_code]:font-mono [&_li_code]:text-md [&_p_code]:text-md [&_td_code]:text-md"
        >
          <h1 className="text-2xl leading-tight font-semibold tracking-tight sm:text-3xl">{title}</h1>
          <p className="mt-3 text-muted sm:text-lg">{description}</p>
          <p className="mt-3 text-md print:hidden">
            <a href={`/docs/${name}.md`} className="text-muted underline underline-offset-2 hover:text-ink">
              View as Markdown
            </a>
          </p>
          {children}
        </article>
        {!isDocument && readSite().kind === 'product' && <PageTurner name={name} />}
      </div>
      <OnThisPage article={article} />
    </div>
  );
}

function PageTurner({ name }: { name: DocsPageName }) {
  const at = docsPageNames.indexOf(name);
  const [previous, next] = [docsPageNames[at - 1], docsPageNames[at + 1]];
  return (
    <footer className="mt-14 print:hidden">
      <nav aria-label="Previous and next page" className="grid gap-3 border-t pt-6 sm:grid-cols-2">
        {previous && (
          <Link to={`/docs/${previous}`} className="group rounded-lg border px-4 py-3 transition-colors hover:border-accent-line">
            <span className="flex items-center gap-1.5 text-md text-muted">
              <ArrowLeft className="size-3.5" aria-hidden />
              Previous
            </span>
            <span className="font-medium">{docsPages[previous].title}</span>
          </Link>
        )}
        {next && (
          <Link
            to={`/docs/${next}`}
            className="group rounded-lg border px-4 py-3 text-right transition-colors hover:border-accent-line sm:col-start-2"
          >
            <span className="flex items-center justify-end gap-1.5 text-md text-muted">
              Next
              <ArrowRight className="size-3.5" aria-hidden />
            </span>
            <span className="font-medium">{docsPages[next].title}</span>
          </Link>
        )}
      </nav>
    </footer>
  );
}
