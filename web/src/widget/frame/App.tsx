/** @jsxImportSource preact */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiProblem } from '../../lib/problem';
import { callsOf, type Calls, type WidgetConfig } from './calls';
import { hostPage } from './host';
import { widgetStorage } from './storage';
import type { Parameters } from './parameters';
import { Failed, Icon } from './components';
import { languages, matchLanguage } from '@tandem/contracts/values';
import { applyTheme } from './scheme';
import { Texts, useLoadedTexts } from './texts';
import { useFormFields } from './CustomFields';
import { useHost } from './use-host';
import { Views } from './Views';

/** Loads name and appearance of the organization; nothing is rendered without them. */
function useConfig(calls: Calls, { primary, secondary, theme }: Parameters) {
  const [config, setConfig] = useState<WidgetConfig>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let left = false;
    void calls.config().then((answer) => {
      if (left) return;
      if (answer.value) {
        const { primary_color, secondary_color } = answer.value.branding;
        applyTheme({ primary_color: primary ?? primary_color, secondary_color: secondary ?? secondary_color }, theme ?? answer.value.theme);
      }
      setConfig(answer.value);
      setProblem(answer.problem);
    });
    return () => {
      left = true;
    };
  }, [calls, primary, secondary, theme, round]);
  return { config, problem, retry: () => setRound((before) => before + 1) };
}

/** The content of the frame: one organization's form, and the conversations of this browser. */
export function App({ parameters }: { parameters: Parameters }) {
  const { organization, host: origin } = parameters;
  const calls = useMemo(() => callsOf(organization), [organization]);
  const stored = useMemo(() => widgetStorage(organization), [organization]);
  const host = useMemo(() => hostPage(origin), [origin]);
  const { config, problem, retry } = useConfig(calls, parameters);
  // Known with the configuration: the organization decides which languages it offers.
  const wanted = [parameters.lang, ...navigator.languages];
  const offered = config?.languages;
  const language = offered ? matchLanguage(wanted, offered.offered, offered.default) : problem && matchLanguage(wanted, languages, 'en');
  const t = useLoadedTexts(language, calls, config?.has_wording === true);
  const hostState = useHost(host, origin === undefined, parameters.customFields);
  const formFields = useFormFields(calls);
  const [back, setBack] = useState<() => void>();
  const heading = useRef<HTMLHeadingElement>(null);
  const isLoaded = config !== undefined && t !== undefined;
  useEffect(() => {
    // When the panel opens, move the focus into it, unless one of its fields already has the focus.
    if (hostState.isOpen && origin !== undefined && !document.activeElement?.matches('input, select, textarea')) heading.current?.focus();
  }, [hostState.isOpen, isLoaded, origin]);
  const close = () => host.send({ type: 'close' });
  return (
    <Texts.Provider value={t}>
      <header>
        {back && (
          <button type="button" class="bare" aria-label={t?.('frame.back')} onClick={back}>
            <Icon name="back" />
          </button>
        )}
        {config?.branding.logo_url && <img src={config.branding.logo_url} alt="" height="28" />}
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{config?.name ?? t?.('frame.support')}</bdi>
        </h1>
        {origin !== undefined && (
          <button type="button" class="bare end" aria-label={t?.('frame.close') ?? 'Close'} onClick={close}>
            <Icon name="close" />
          </button>
        )}
      </header>
      <main aria-busy={!t}>
        {problem && !config && t && <Failed title={t('frame.failed')} problem={problem} onRetry={retry} />}
        {config && t && (
          <Views
            parameters={parameters}
            config={config}
            calls={calls}
            stored={stored}
            host={host}
            {...hostState}
            formFields={formFields}
            onBack={(go) => setBack(() => go)}
            onView={() => heading.current?.focus()}
          />
        )}
      </main>
      {config && t && !config.branding.hide_powered_by && <footer>{t('frame.powered_by')}</footer>}
    </Texts.Provider>
  );
}
