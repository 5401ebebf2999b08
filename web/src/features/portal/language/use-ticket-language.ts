import type { Language } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useOrganization } from '../organization';
import { linkedLanguage } from './page-language';
import { usePageLanguage } from './texts';

/** Shows the page in the language of its ticket, unless the address names another one, as it does after the customer has chosen one. */
export function useTicketLanguage(language: Language | null | undefined): void {
  const { change } = usePageLanguage();
  const { search } = useLocation();
  const isOffered = useOrganization()?.languages.offered.some((each) => each === language) === true;
  useEffect(() => {
    if (language && isOffered && linkedLanguage(search) === undefined) change(language);
  }, [language, isOffered, search, change]);
}
