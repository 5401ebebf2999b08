import { brandingRules } from '@tandem/contracts/values';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import type { PartProps } from './branding-draft';
import { useAddBrandingAssetMutation } from '../../../app/branding.api';

/** The file content in base64, without the `data:` prefix. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(new Error('Couldn’t read the image')));
    reader.readAsDataURL(file);
  });

interface BrandImageProps extends PartProps {
  label: string;
  hint: string;
  name: 'logo_url' | 'favicon_url';
}
function BrandImage({ label, hint, name, draft, set, errorOf }: BrandImageProps) {
  const input = useRef<HTMLInputElement>(null);
  const [add, { isLoading }] = useAddBrandingAssetMutation();
  const url = draft[name];
  const image = label.toLowerCase();
  const upload = async (file: File) => {
    if (file.size > brandingRules.maxAssetBytes) return notify.error(t('settings.branding.image_rules'));
    const content = await contentOf(file).catch(() => undefined);
    if (content === undefined) return notify.error(t('settings.branding.couldnt_read_image'));
    const answer = await add(content);
    if (answer.error) return notify.problem(answer.error, t('settings.branding.upload_failed', { image }));
    set({ [name]: answer.data.url });
  };
  const error = errorOf(name);
  return (
    <div role="group" aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid h-14 w-32 shrink-0 place-items-center overflow-hidden rounded-md border bg-sunken p-2">
          {url ? (
            <img src={url} alt={t('settings.branding.image_alt', { image })} className="max-h-full max-w-full object-contain" />
          ) : (
            <span className="text-xs text-faint">{t('settings.branding.none')}</span>
          )}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('settings.branding.image_file', { label })}
          accept={brandingRules.assetTypes.join(',')}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // Reset, so that the same file can be chosen again.
            event.target.value = '';
            if (file) void upload(file);
          }}
        />
        <Button busy={isLoading} aria-label={t('settings.branding.upload_image', { image })} onClick={() => input.current?.click()}>
          {!isLoading && <Upload aria-hidden />}
          {t('settings.branding.upload')}
        </Button>
        {url && (
          <Button variant="ghost" aria-label={t('settings.branding.remove_image', { image })} onClick={() => set({ [name]: null })}>
            {t('settings.branding.remove')}
          </Button>
        )}
      </div>
      {error && <p className="text-xs text-red-text">{error}</p>}
      <p className="text-xs text-muted">{hint}</p>
    </div>
  );
}

export const BrandImages = (part: PartProps) => (
  <>
    <BrandImage label={t('settings.branding.logo')} name="logo_url" hint={t('settings.branding.image_hint')} {...part} />
    <BrandImage
      label={t('settings.branding.icon')}
      name="favicon_url"
      hint={t('settings.branding.square_image_for_browser_tab')}
      {...part}
    />
  </>
);
