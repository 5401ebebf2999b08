import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';

/** Scrolls to the section in the address, which was not rendered yet when the browser looked for it. Returns its id. */
export function useSectionInView(): string {
  const { hash, search } = useLocation();
  const id = decodeURIComponent(hash.slice(1));
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView();
  }, [id, search]);
  return id;
}
