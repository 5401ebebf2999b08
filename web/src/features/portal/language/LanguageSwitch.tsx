import { languageNames, type Language } from '@tandem/contracts/values';
import { useSearchParams } from 'react-router-dom';
import { NativeSelect } from '../../../ui/NativeSelect';
import { useOrganization } from '../organization';
import { rememberLanguage } from './page-language';
import { usePageLanguage } from './texts';

/** Lets the customer choose the language, for this page and their next visits. Hidden if there is only one. */
export function LanguageSwitch() {
  const { t, change } = usePageLanguage();
  const offered = useOrganization()?.languages.offered ?? [];
  const [query, setQuery] = useSearchParams();
  if (offered.length < 2) return null;
  const choose = (language: Language) => {
    rememberLanguage(language);
    // Otherwise the language of the link, or of the ticket, would be shown again after a reload.
    setQuery({ ...Object.fromEntries(query), lang: language }, { replace: true });
    change(language);
  };
  return (
    <NativeSelect
      aria-label={t('frame.language')}
      value={t.language}
      onChange={(event) => choose(event.target.value as Language)}
      className="h-11 max-w-full rounded-md border border-control/60 bg-surface px-2 text-sm text-ink"
    >
      {offered.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageNames[language]}
        </option>
      ))}
    </NativeSelect>
  );
}
