import { brandingRules } from '@tandem/contracts/values';
import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { notify } from '../../../lib/notify';
import { Button } from '../../../ui/Button';
import type { PartProps } from './branding-draft';
import { useAddBrandingAssetMutation } from './branding.api';

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
  const upload = async (file: File) => {
    if (file.size > brandingRules.maxAssetBytes) return notify.error('Use a PNG, JPEG, GIF, WebP or ICO image of at most 512 KB');
    const content = await contentOf(file).catch(() => undefined);
    if (content === undefined) return notify.error('Couldn’t read the image');
    const answer = await add(content);
    if (answer.error) return notify.problem(answer.error, `Failed to upload the ${label.toLowerCase()}`);
    set({ [name]: answer.data.url });
  };
  const error = errorOf(name);
  return (
    <div role="group" aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid h-14 w-32 shrink-0 place-items-center overflow-hidden rounded-md border bg-sunken p-2">
          {url ? (
            <img src={url} alt={`Organization ${label.toLowerCase()}`} className="max-h-full max-w-full object-contain" />
          ) : (
            <span className="text-xs text-faint">None</span>
          )}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={`${label} file`}
          accept={brandingRules.assetTypes.join(',')}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            // Reset, so that the same file can be chosen again.
            event.target.value = '';
            if (file) void upload(file);
          }}
        />
        <Button busy={isLoading} aria-label={`Upload ${label.toLowerCase()}`} onClick={() => input.current?.click()}>
          {!isLoading && <Upload aria-hidden />}
          Upload
        </Button>
        {url && (
          <Button variant="ghost" aria-label={`Remove ${label.toLowerCase()}`} onClick={() => set({ [name]: null })}>
            Remove
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
    <BrandImage
      label="Logo"
      name="logo_url"
      hint="PNG, JPEG, GIF, WebP or ICO of at most 512 KB. Shown on your portal and in emails."
      {...part}
    />
    <BrandImage label="Icon" name="favicon_url" hint="A square image for the browser tab." {...part} />
  </>
);
