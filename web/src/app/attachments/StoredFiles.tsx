import type { Attachment } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { sizeText } from '../../lib/uploads';
import { FileIcon } from '../../ui/FileIcon';
import { useFileLink, useOpenFile } from './use-file-link';

const frame =
  'group/file rounded-md border bg-surface text-left text-xs transition-colors hover:border-line-strong hover:bg-hover max-w-full';

/** True once the element comes near the viewport. */
function useIsNear(): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNear, setIsNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (!element || isNear) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true), {
      rootMargin: '200px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isNear]);
  return [setElement, isNear];
}

/** Requests a signed URL once the image is near the viewport, and a second one if the first expired before the image loaded. */
function usePicture(id: string, isNear: boolean, onFailed: () => void) {
  const link = useFileLink();
  const [url, setUrl] = useState<string>();
  const attempts = useRef(0);
  const ask = (fresh: boolean) => {
    attempts.current += 1;
    link(id, fresh).then(setUrl, onFailed);
  };
  useEffect(() => {
    if (isNear && attempts.current === 0) ask(false);
  });
  return { url, onError: () => (attempts.current < 2 ? ask(true) : onFailed()) };
}

/** In a list of files. */
export function FilePicture({ file, onFailed }: { file: Attachment; onFailed: () => void }) {
  const [ref, isNear] = useIsNear();
  const open = useOpenFile();
  const { url, onError } = usePicture(file.id, isNear, onFailed);
  return (
    <button
      type="button"
      ref={ref}
      aria-label={t('tickets.attachments.open_file_name_size_text', { file_name: file.file_name, sizeText: sizeText(file.size) })}
      title={file.file_name}
      onClick={() => void open(file)}
      className={cn(frame, 'flex w-40 flex-col overflow-hidden')}
    >
      <span className="grid h-28 w-full place-items-center overflow-hidden border-b bg-sunken">
        {url ? (
          <img src={url} alt="" loading="lazy" decoding="async" onError={onError} className="size-full object-cover" />
        ) : (
          <span aria-hidden className="size-full animate-shimmer bg-hover" />
        )}
      </span>
      <span className="flex w-full items-center gap-2 px-2 py-1">
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {file.file_name}
        </span>
        <span className="text-muted tabular">{sizeText(file.size)}</span>
      </span>
    </button>
  );
}

/** In the text of a comment, at its own proportions. */
export function InlinePicture({ file, alt }: { file: Attachment; alt: string }) {
  const [ref, isNear] = useIsNear();
  const [broken, setBroken] = useState(false);
  const open = useOpenFile();
  const { url, onError } = usePicture(file.id, isNear, () => setBroken(true));
  if (broken) return <FileChip file={file} />;
  return (
    <button
      type="button"
      ref={ref}
      aria-label={t('tickets.attachments.open_alt', { alt: alt || file.file_name })}
      title={file.file_name}
      onClick={() => void open(file)}
      className="my-1 block min-h-40 max-w-full overflow-hidden rounded-md border bg-sunken hover:border-line-strong"
    >
      {url && (
        <img src={url} alt={alt || file.file_name} decoding="async" onError={onError} className="max-h-96 max-w-full object-contain" />
      )}
    </button>
  );
}

/** A file that is not shown as a picture. */
export function FileChip({ file }: { file: Attachment }) {
  const open = useOpenFile();
  const shows = isInline(file.content_type);
  const size = sizeText(file.size);
  return (
    <button
      type="button"
      aria-label={
        shows
          ? t('tickets.attachments.open_file', { name: file.file_name, size })
          : t('tickets.attachments.download_file', { name: file.file_name, size })
      }
      title={file.file_name}
      onClick={() => void open(file)}
      className={cn(frame, 'flex h-9 items-center gap-2 px-2 touch:h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted')}
    >
      <FileIcon type={file.content_type} />
      <span className="max-w-56 min-w-0 truncate font-medium" dir="auto">
        {file.file_name}
      </span>
      <span className="text-muted tabular">{sizeText(file.size)}</span>
      {!shows && <Download aria-hidden className="opacity-60 group-hover/file:opacity-100" />}
    </button>
  );
}
