import { RotateCw, X } from 'lucide-react';
import { useCallback } from 'react';
import { cn } from '../lib/cn';
import { uiText } from '../lib/ui-texts';
import { Button } from './Button';
import { FileIcon } from './FileIcon';
import { hasThumbnail, sizeText, type Upload } from '../lib/uploads';

export interface UploadItemsProps {
  uploads: Upload[];
  onRemove: (key: string) => void;
  onRetry: (key: string) => void;
  className?: string;
}

function Thumbnail({ file }: { file: File }) {
  // Object URLs keep the file in memory: revoke them when the image unmounts.
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={show} alt="" className="size-full object-cover" />;
}

function UploadStatus({ upload: { name, state, progress, reason, size } }: { upload: Upload }) {
  if (state === 'failed') return <span className="text-red-text [overflow-wrap:anywhere]">{reason}</span>;
  if (state === 'done') return <span className="text-muted tabular">{sizeText(size)}</span>;
  const percent = Math.floor(progress * 100);
  return (
    <span className="flex items-center gap-2 text-muted">
      <span
        role="progressbar"
        aria-label={uiText('uploading', { name })}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-1 min-w-10 flex-1 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full bg-accent transition-[width] duration-150" style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden className="w-8 text-end tabular">
        {percent} %
      </span>
    </span>
  );
}

function UploadItem({ upload, onRemove, onRetry }: { upload: Upload } & Pick<UploadItemsProps, 'onRemove' | 'onRetry'>) {
  const { key, name, file, type, state, canRetry } = upload;
  return (
    <li
      className={cn(
        'flex w-60 max-w-full items-center gap-2 rounded-md border bg-surface p-1.5 text-xs max-md:w-full',
        state === 'failed' && 'border-red-line',
      )}
    >
      <span className="grid size-9 shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken text-muted [&_svg]:size-4">
        {file && hasThumbnail(upload) ? <Thumbnail file={file} /> : <FileIcon type={type} />}
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium" title={name} dir="auto">
          {name}
        </span>
        <UploadStatus upload={upload} />
      </span>
      {state === 'failed' && canRetry && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={uiText('retry_label', { name })}
          title={uiText('retry')}
          onClick={() => onRetry(key)}
        >
          <RotateCw aria-hidden />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={uiText('remove_label', { name })}
        title={uiText('remove')}
        onClick={() => onRemove(key)}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

/** Content of the tray, loaded with the first file by UploadTray.tsx. */
export function UploadItems({ uploads, onRemove, onRetry, className }: UploadItemsProps) {
  return (
    <ul aria-label={uiText('attached')} className={cn('flex max-h-44 flex-wrap gap-1.5 overflow-y-auto', className)}>
      {uploads.map((upload) => (
        <UploadItem key={upload.key} upload={upload} onRemove={onRemove} onRetry={onRetry} />
      ))}
    </ul>
  );
}
