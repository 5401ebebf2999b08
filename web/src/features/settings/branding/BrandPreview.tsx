import { brandVariables, buttonColors, widgetDefaults, type BrandScheme } from '@tandem/contracts/values';
import { MessageCircle } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { TabSet } from '../../../ui/Tabs';
import type { Draft } from './branding-draft';

interface PreviewProps {
  draft: Draft;
  name: string;
  scheme: BrandScheme;
}

/** The caption is in the colors of the app, and only the content in those of the organization. */
function Figure({ title, draft, scheme, children }: { title: string; children: ReactNode } & Omit<PreviewProps, 'name'>) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1.5 text-xs font-medium text-muted">{title}</figcaption>
      <div data-theme={scheme} style={brandVariables(draft, scheme)} className="overflow-hidden rounded-lg border bg-canvas text-ink">
        {children}
      </div>
    </figure>
  );
}

const Line = ({ className }: { className: string }) => <span className={`block h-2 rounded-sm bg-hover ${className}`} />;

const Brand = ({ draft, name }: Omit<PreviewProps, 'scheme'>) =>
  draft.logo_url ? (
    <img src={draft.logo_url} alt="" className="max-h-6 max-w-32 object-contain" />
  ) : (
    <span className="truncate font-semibold">{name}</span>
  );

const ButtonFace = ({ children }: { children: ReactNode }) => (
  <span className="inline-flex h-8 items-center rounded-md bg-accent px-3 text-sm font-medium text-accent-ink">{children}</span>
);

const Portal = (props: PreviewProps) => (
  <Figure {...props} title={t('settings.branding.portal')}>
    <div className="flex h-10 items-center border-b bg-surface px-3">
      <Brand {...props} />
    </div>
    <div className="flex flex-col items-start gap-2.5 p-3">
      <span className="font-semibold">{t('settings.branding.how_can_we_help')}</span>
      <Line className="w-full" />
      <Line className="w-2/3" />
      <ButtonFace>{t('settings.branding.submit_ticket')}</ButtonFace>
      <span className="text-sm text-accent-text underline">{t('settings.branding.check_status')}</span>
    </div>
    {!props.draft.hide_powered_by && <p className="pb-2 text-center text-xs text-muted">{t('settings.branding.powered_by_tandem')}</p>}
  </Figure>
);

function Widget({ draft, scheme }: PreviewProps) {
  const colors = buttonColors(draft.primary_color, scheme);
  return (
    <Figure draft={draft} scheme={scheme} title={t('settings.branding.widget')}>
      <div className="flex h-24 flex-col gap-2 p-3">
        <Line className="w-1/2" />
        <Line className="w-full" />
        <span
          className="mt-auto inline-flex h-9 items-center gap-2 self-end rounded-full px-3.5 text-sm font-medium"
          style={colors && { background: colors.area, color: colors.ink }}
        >
          <MessageCircle className="size-4" aria-hidden />
          {widgetDefaults.trigger_text}
        </span>
      </div>
    </Figure>
  );
}

const Email = (props: PreviewProps) => (
  <Figure {...props} title={t('settings.branding.email')}>
    <div className="flex flex-col items-start gap-2.5 bg-surface p-3">
      <Brand {...props} />
      <Line className="w-full" />
      <Line className="w-5/6" />
      <ButtonFace>{t('settings.branding.view_ticket')}</ButtonFace>
      {!props.draft.hide_powered_by && <p className="text-xs text-muted">{t('settings.branding.powered_by_tandem')}</p>}
    </div>
  </Figure>
);

const Faces = (props: PreviewProps) => (
  <div className="grid gap-3 max-xl:sm:grid-cols-3" aria-hidden>
    <Portal {...props} />
    <Widget {...props} />
    <Email {...props} />
  </div>
);

/** The unsaved colors, logo and 'powered by' on the portal, the widget and an email, in both color schemes. */
export function BrandPreview({ draft }: { draft: Draft }) {
  const [scheme, setScheme] = useState<BrandScheme>('light');
  const props = { draft, name: useSession().organization?.name ?? '' };
  return (
    <section aria-label={t('settings.branding.preview')} className="xl:sticky xl:top-0">
      <TabSet
        label={t('settings.branding.color_scheme_of_preview')}
        tabs={[
          { value: 'light', label: t('settings.branding.light'), panel: <Faces {...props} scheme="light" /> },
          { value: 'dark', label: t('settings.branding.dark'), panel: <Faces {...props} scheme="dark" /> },
        ]}
        value={scheme}
        onChange={setScheme}
        panelClassName="mt-3"
      />
    </section>
  );
}
