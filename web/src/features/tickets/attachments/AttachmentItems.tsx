import type { Attachment } from '@tandem/contracts';
import { isInline, picturesIn } from '@tandem/contracts/values';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { sizeText } from '../../../lib/uploads';
import { FileIcon } from '../../../ui/FileIcon';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useListAttachmentsQuery } from './attachments.api';
import { useFileLink, useOpenFile } from './use-file-link';

/** Larger images open on request only, to save mobile data. */
const previewMaxBytes = 5 * 1024 * 1024;

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

function Picture({ file, onFailed }: { file: Attachment; onFailed: () => void }) {
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
  if (broken) return <Chip file={file} />;
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

function Chip({ file }: { file: Attachment }) {
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

function Item({ file }: { file: Attachment }) {
  // A file with an image type that cannot be displayed is shown as a plain file.
  const [broken, setBroken] = useState(false);
  const asPicture = isInline(file.content_type) && file.size <= previewMaxBytes && !broken;
  return <li className="flex max-w-full">{asPicture ? <Picture file={file} onFailed={() => setBroken(true)} /> : <Chip file={file} />}</li>;
}

/** The list itself, loaded when there are files (AttachmentList.tsx). */
function filesBelow(attachments: Attachment[], markdown: string): Attachment[] {
  const shown = picturesIn(markdown);
  return attachments.filter(({ file_name, content_type }) => !(shown.has(file_name) && isInline(content_type)));
}

interface AttachmentItemsProps {
  attachments: Attachment[];
  /** The text that shows some of them as pictures. */
  markdown?: string | undefined;
  className?: string | undefined;
}

export function AttachmentItems({ attachments: all, markdown, className }: AttachmentItemsProps) {
  const attachments = markdown === undefined ? all : filesBelow(all, markdown);
  if (attachments.length === 0) return null;
  return (
    <ul aria-label={t('tickets.attachments.attachments')} className={cn('flex flex-wrap items-end gap-2', className)}>
      {attachments.map((file) => (
        <Item key={file.id} file={file} />
      ))}
    </ul>
  );
}

export function DescriptionFiles({ ticketId, className }: { ticketId: string; className?: string }) {
  const { isMissing, retry } = useTicketPart('attachments');
  const { data, isError, isFetching, refetch } = useListAttachmentsQuery(ticketId, { skip: isMissing });
  if (!data && (isMissing || isError)) {
    return (
      <div className={className}>
        <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
          {t('tickets.attachments.couldnt_load_files')}
        </PartError>
      </div>
    );
  }
  return data?.length ? <AttachmentItems attachments={data} className={className} /> : null;
}
