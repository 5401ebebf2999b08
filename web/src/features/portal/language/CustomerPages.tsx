import type { Language } from '@tandem/contracts/values';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { FirstSkeleton } from '../../../ui/PageSkeletons';
import { firstLanguage } from './page-language';
import { hideSharedTexts, loadedTexts, loadTexts, PageLanguage, setDocumentLanguage, showSharedTexts, type PortalTranslate } from './texts';

/** Shows customer pages in the customer's language, once its texts are loaded. */
export function CustomerPages({ children = <Outlet /> }: { children?: ReactNode }) {
  const { pathname, search } = useLocation();
  const withSurvey = pathname.startsWith('/survey/');
  const [language, setLanguage] = useState(() => firstLanguage(search));
  const [failure, setFailure] = useState<Error>();
  const [, setLoads] = useState(0);
  const t = loadedTexts(language, withSurvey);
  const isMissing = t === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isHere = true;
    loadTexts(language, withSurvey).then(
      () => isHere && setLoads((before) => before + 1),
      (error: Error) => isHere && setFailure(error),
    );
    return () => {
      isHere = false;
    };
  }, [isMissing, language, withSurvey]);
  useLayoutEffect(() => setDocumentLanguage(language), [language]);
  useLayoutEffect(
    () => () => {
      hideSharedTexts();
      setDocumentLanguage('en');
    },
    [],
  );
  const change = useCallback(
    (next: Language) =>
      // Stay with the current language if the texts of the other one do not load.
      void loadTexts(next, withSurvey).then(
        () => setLanguage(next),
        () => undefined,
      ),
    [withSurvey, setLanguage],
  );
  // For the page of the error boundary, which offers to try again.
  if (failure) throw failure;
  if (!t) return <FirstSkeleton />;
  return (
    <Texts t={t} change={change}>
      {children}
    </Texts>
  );
}

function Texts({ t, change, children }: { t: PortalTranslate; change: (language: Language) => void; children: ReactNode }) {
  // While rendering and not in an effect: the components below already use these texts in their first render.
  showSharedTexts(t);
  const value = useMemo(() => ({ t, change }), [t, change]);
  return <PageLanguage value={value}>{children}</PageLanguage>;
}
