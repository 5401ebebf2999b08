import { widgetDefaults, widgetPositions, widgetThemes, type WidgetPosition, type WidgetTheme } from '@tandem/contracts/values';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { fullSnippet, policyLine, type SnippetOptions } from '../../../lib/widget-snippet';
import { useSession } from '../../../app/api';
import { storage, widgetCopiedKey } from '../../../lib/storage';
import { CodeBlock } from '../../../ui/CodeBlock';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Rich } from '../../../ui/Rich';
import { Select } from '../../../ui/Select';
import { LauncherPreview } from './LauncherPreview';
import { useReadWidgetColorsQuery, useReadWidgetSettingsQuery, useSaveWidgetSettingsMutation } from './widget.api';

/** In front of which the snippet belongs. */
const closingTag = '</body>';

const inWords = (word: string) => (word.charAt(0).toUpperCase() + word.slice(1)).replace('-', ' ');
const choices = (words: readonly string[]) => words.map((value) => ({ value, label: inWords(value) }));
const themes = choices(widgetThemes);
const positions = choices(widgetPositions);

/** Options of the snippet, a preview, and the code to copy. */
export function Snippet({ organization }: { organization: string }) {
  const { data: colors } = useReadWidgetColorsQuery();
  const [chosen, setChosen] = useState({
    position: widgetDefaults.position as WidgetPosition,
    triggerText: '',
  });
  const [own, setOwn] = useState<{ primary?: string; secondary?: string }>({});
  const options: SnippetOptions & { primary: string; secondary: string } = {
    organization,
    ...chosen,
    // The organization's branding by default; it can be overridden for a single site.
    primary: own.primary ?? colors?.primary_color ?? '#3B82F6',
    secondary: own.secondary ?? colors?.secondary_color ?? '#8B5CF6',
  };
  return (
    <div className="flex flex-col gap-5 p-4">
      <div className="grid gap-5 md:grid-cols-2">
        <div className="grid content-start gap-4 sm:grid-cols-2">
          <ThemeField />
          <Field label={t('settings.embed.position')}>
            {(control) => (
              <Select
                {...control}
                value={chosen.position}
                options={positions}
                onChange={(position) => setChosen({ ...chosen, position: position as WidgetPosition })}
              />
            )}
          </Field>
          <Field label={t('settings.embed.trigger_text')} className="sm:col-span-2">
            {(control) => (
              <Input
                {...control}
                value={chosen.triggerText}
                maxLength={40}
                placeholder={widgetDefaults.trigger_text}
                onChange={(event) => setChosen({ ...chosen, triggerText: event.target.value })}
              />
            )}
          </Field>
          <ColorField
            label={t('settings.embed.primary_color')}
            value={options.primary}
            onChange={(primary) => setOwn({ ...own, primary })}
          />
          <ColorField
            label={t('settings.embed.secondary_color')}
            value={options.secondary}
            onChange={(secondary) => setOwn({ ...own, secondary })}
          />
        </div>
        <LauncherPreview options={options} />
      </div>
      <Code options={options} />
    </div>
  );
}

function Code({ options }: { options: SnippetOptions }) {
  const { profile } = useSession();
  return (
    <>
      <div>
        <p className="mb-1.5">
          <Rich text={t('settings.embed.where_to_paste_snippet')} tags={{ code: () => <code>{closingTag}</code> }} />
        </p>
        <CodeBlock
          label={t('settings.embed.widget_snippet')}
          code={fullSnippet(location.origin, options)}
          onCopy={() => storage.set(widgetCopiedKey(profile.organization_id ?? ''), 'yes')}
        />
      </div>
      <div>
        <p className="mb-1.5">{t('settings.embed.policy_sources')}</p>
        <CodeBlock label={t('settings.embed.content_security_policy')} code={policyLine(location.origin)} />
      </div>
    </>
  );
}

/** Saved for all sites; a snippet with `data-theme` overrides it. */
function ThemeField() {
  const { data: settings } = useReadWidgetSettingsQuery();
  const [save, { isLoading }] = useSaveWidgetSettingsMutation();
  const choose = async (theme: WidgetTheme) => {
    if (!settings) return;
    const { allowed_sites, identity_required } = settings;
    const answer = await save({ allowed_sites, identity_required, theme });
    if (answer.error) notify.problem(answer.error, t('settings.embed.failed_to_save_theme'));
    else notify.success(t('settings.embed.theme_saved'));
  };
  return (
    <Field label={t('settings.embed.theme')} hint={t('settings.embed.theme_is_saved_for_every_site')}>
      {(control) => (
        <Select
          {...control}
          value={settings?.theme ?? widgetDefaults.theme}
          options={themes}
          disabled={!settings || isLoading}
          onChange={(theme) => void choose(theme as WidgetTheme)}
        />
      )}
    </Field>
  );
}

const ColorField = ({ label, value, onChange }: { label: string; value: string; onChange: (color: string) => void }) => (
  <Field label={label}>
    {(control) => (
      <Input
        {...control}
        type="color"
        className="max-w-24 p-1"
        value={value.toLowerCase()}
        onChange={(event) => onChange(event.target.value.toUpperCase())}
      />
    )}
  </Field>
);
