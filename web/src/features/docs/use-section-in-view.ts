import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** The id of the section in the address. */
export const useChosenSection = (): string => decodeURIComponent(useLocation().hash.slice(1));

/** Scrolls to the section in the address, which was not rendered yet when the browser looked for it. */
export function useScrollToSection(): void {
  const { search, key } = useLocation();
  const id = useChosenSection();
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView();
  }, [id, search, key]);
}

/** Whether no page has been shown since the browser loaded the app. */
let isFirstPage = true;

/** Like `useScrollToSection`, but without a section in the address it scrolls to the top of a page that a link has opened. */
export function useSectionInView(): void {
  const { pathname } = useLocation();
  const id = useChosenSection();
  useScrollToSection();
  useEffect(() => {
    // On the first page the reader may have scrolled before the app was loaded, and after a reload the browser restores the position.
    if (!id && !isFirstPage) document.documentElement.scrollTop = 0;
    isFirstPage = false;
    // Only a new page starts at its top: a new tab keeps the position.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pathname]);
}
