import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { nameTab } from '../lib/tab-title';

/** The part of the frame's top bar that belongs to the page. */
export const PageHeaderSlot = createContext<HTMLElement | null>(null);

let firstPage = true;

/** Names the browser's tab after the page; null leaves it to somebody else. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) nameTab(title);
  }, [title]);
}

interface PageHeaderProps {
  title: string;
  /** For the browser's tab, where it can say more. */
  documentTitle?: string;
  before?: ReactNode;
  middle?: ReactNode;
  actions?: ReactNode;
}

/**
 * The page's heading and actions, in the top bar. After a change of page the heading takes the focus, so that the keyboard and
 * the screen reader start at the new page; not on the first page, where the browser's own start is right.
 */
export function PageHeader({ title, documentTitle = title, before, middle, actions }: PageHeaderProps) {
  const slot = useContext(PageHeaderSlot);
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname } = useLocation();
  useDocumentTitle(documentTitle);
  useEffect(() => {
    if (!slot) return;
    // A page that took long to load must not close the menu that was opened meanwhile.
    const isElsewhere = document.activeElement?.closest('[role=menu], [role=listbox], [role=dialog], [role=alertdialog]');
    if (!firstPage && !isElsewhere) heading.current?.focus({ preventScroll: true });
    firstPage = false;
    // Only a new page moves the focus, not a new filter: the path of the mount is what counts.
    // eslint-disable-next-line react-hooks/exhaustive-deps
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
