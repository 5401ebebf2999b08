import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { setDocumentTitle } from '../lib/document-title';

/** The element in the top bar where pages render their header. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null);

let firstPage = true;

/** Sets the tab title; null leaves it to another component. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) setDocumentTitle(title);
  }, [title]);
}

interface PageHeaderProps {
  title: string;
  /** Tab title, if it should differ from the heading. */
  documentTitle?: string;
  before?: ReactNode;
  middle?: ReactNode;
  actions?: ReactNode;
}

/**
 * The page's heading and actions, rendered in the top bar. After navigation the heading receives the focus, so that the keyboard and the
 * screen reader start at the new page. The first page keeps the browser's initial focus.
 */
export function PageHeader({ title, documentTitle = title, before, middle, actions }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot);
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useDocumentTitle(documentTitle);
  useEffect(() => {
    if (!slot) return;
    // If the page loaded slowly, the user may have opened a menu, which a change of focus would close.
    const isElsewhere = document.activeElement?.closest('[role=menu], [role=listbox], [role=dialog], [role=alertdialog]');
    if (!firstPage && !isElsewhere) heading.current?.focus({ preventScroll: true });
    firstPage = false;
    // Only a new page moves the focus, not a new filter: depend on the first path segment only.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [slot, pathname.split('/')[1]]);
  if (!slot) return null;
  return createPortal(
    <>
      <div className="flex min-w-0 items-center gap-1.5">
        {before}
        <h1 ref={heading} tabIndex={-1} className="truncate text-md font-semibold">
          {title}
        </h1>
      </div>
      {middle ? <div className="flex min-w-0 flex-1 justify-center">{middle}</div> : <div className="flex-1" />}
      {actions && <div className="flex shrink-0 items-center gap-2">{actions}</div>}
    </>,
    slot,
  );
}
