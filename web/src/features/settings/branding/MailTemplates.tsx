import { brandingRules, directionOf, languageNames, type Language } from '@tandem/contracts/values';
import { useState } from 'react';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { Field } from '../../../ui/Field';
import { Textarea } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import type { PartProps } from './branding-draft';

/** The template cannot run scripts, load external code or access this page: the frame is sandboxed, and its CSP enforces it again. */
const previewOf = (header: string, footer: string, dir: string): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'">` +
  `<body dir="${dir}" style="margin:16px;font:14px/1.5 system-ui,sans-serif;color:#111827;background:#ffffff">` +
  `${header}<p>${t('settings.branding.sample_greeting')}</p><p>${t('settings.branding.sample_text')}</p>${footer}`;

const fields = [
  { label: t('settings.branding.email_header'), name: 'email_template_header', part: 'header' },
  { label: t('settings.branding.email_footer'), name: 'email_template_footer', part: 'footer' },
] as const;

const Preview = ({ html }: { html: string }) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <p className="font-medium">{t('settings.branding.preview')}</p>
    <iframe
      title={t('settings.branding.email_preview')}
      sandbox=""
      srcDoc={html}
      className="min-h-72 w-full flex-1 rounded-md border bg-white"
    />
    <p className="text-xs text-muted">{t('settings.branding.external_images_appear_in_emails')}</p>
  </div>
);

const every = 'every';

/** HTML above and below the text of every email, or of the emails in one language, next to a preview. */
export function MailTemplates({ draft, set, errorOf }: PartProps) {
  const { organization } = useSession();
  const [chosen, setChosen] = useState<Language | typeof every>(every);
  const offered = organization?.languages.offered ?? [];
  const language = chosen !== every && offered.includes(chosen) ? chosen : undefined;
  const general = { header: draft.email_template_header, footer: draft.email_template_footer };
  const shown = (language && draft.email_templates[language]) ?? general;
  const change = (part: 'header' | 'footer', html: string) =>
    language
      ? set({ email_templates: { ...draft.email_templates, [language]: { ...shown, [part]: html } } })
      : set({ [`email_template_${part}`]: html });
  const dir = language ? directionOf(language) : 'ltr';
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        {offered.length > 1 && (
          <Field label={t('settings.branding.language')} hint={t('settings.branding.language_without_email_texts')}>
            {(control) => (
              <Select
                {...control}
                value={language ?? every}
                options={[
                  { value: every, label: t('settings.branding.all_languages') },
                  ...offered.map((each) => ({ value: each, label: languageNames[each] })),
                ]}
                onChange={(value) => setChosen(value as Language | typeof every)}
              />
            )}
          </Field>
        )}
        {fields.map(({ label, name, part }) => (
          <Field
            key={name}
            label={label}
            optional
            error={errorOf(language ? `email_templates.${language}.${part}` : name)}
            hint={t('settings.branding.basic_html_is_allowed')}
          >
            {(control) => (
              <Textarea
                {...control}
                className="font-mono"
                spellCheck={false}
                maxLength={brandingRules.maxTemplate}
                value={shown[part]}
                onChange={(event) => change(part, event.target.value)}
              />
            )}
          </Field>
        ))}
      </div>
      <Preview html={previewOf(shown.header, shown.footer, dir)} />
    </div>
  );
}
