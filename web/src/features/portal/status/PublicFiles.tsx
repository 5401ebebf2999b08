import type { Attachment } from '@tandem/contracts';
import { linkPublicAttachment } from '@tandem/contracts/endpoints';
import { isInline } from '@tandem/contracts/values';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { sizeText } from '../../../lib/uploads';
import { Button } from '../../../ui/Button';
import { FileIcon } from '../../../ui/FileIcon';
import { useTexts, type PortalTranslate } from '../language/texts';
import { refusalOf } from '../refusal';

export interface FilesPlace {
  ticketId: string;
  email: string;
}

/** A signed address that is valid for a few minutes, so it is requested for every download. */
const requestLink = ({ ticketId, email }: FilesPlace, fileId: string) =>
  send(call(linkPublicAttachment, { params: { id: ticketId, attachmentId: fileId }, body: { email } }));
async function linkOf(place: FilesPlace, fileId: string, t: PortalTranslate): Promise<string | undefined> {
  const { data, problem } = await requestLink(place, fileId);
  if (!problem) return data.url;
  notify.error(refusalOf(problem, t), t('file.failed'));
  return undefined;
}

/** Larger pictures are loaded only on request, and so are all pictures if the browser saves data: there are no smaller versions. */
const maxThumbnailBytes = 512 * 1024;
const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The address of a picture's thumbnail once its link has arrived. Without one the icon of its type stays. */
function useThumbnail(file: Attachment, { ticketId, email }: FilesPlace): string | undefined {
  const [url, setUrl] = useState<string>();
  const isWanted = isInline(file.content_type) && file.size <= maxThumbnailBytes && !savesData();
  useEffect(() => {
    if (!isWanted) return;
    let isHere = true;
    void requestLink({ ticketId, email }, file.id).then(({ data }) => isHere && setUrl(data?.url));
    return () => {
      isHere = false;
    };
  }, [isWanted, file.id, ticketId, email]);
  return url;
}

/** The attachments of a comment. */
export function PublicFiles({ files, place }: { files: Attachment[]; place: FilesPlace }) {
  const t = useTexts();
  return (
    <ul aria-label={t('file.list')} className="mt-3 flex flex-col gap-2">
      {files.map((file) => (
        <PublicFile key={file.id} file={file} place={place} />
      ))}
    </ul>
  );
}

/** A picture in the text of a reply, loaded when it comes near the viewport. */
export function PublicPicture({ file, alt, place }: { file: Attachment; alt: string; place: FilesPlace }) {
  const frame = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  // If the browser saves data, pictures are not loaded.
  const [hasFailed, setHasFailed] = useState(savesData);
  const { ticketId, email } = place;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const load = () => void requestLink({ ticketId, email }, file.id).then(({ data }) => (data ? setUrl(data.url) : setHasFailed(true)));
    if (typeof IntersectionObserver === 'undefined') return load();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        load();
      },
      { rootMargin: '200px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ticketId, email, file.id]);
  // The list of files below still offers it.
  if (hasFailed) return `[${alt || file.file_name}]`;
  return (
    <span ref={frame} className="my-1 block min-h-40 max-w-full">
      {url && (
        <img
          src={url}
          alt={alt || file.file_name}
          onError={() => setHasFailed(true)}
          className="max-h-[70vh] max-w-full rounded-md border bg-surface object-contain"
        />
      )}
    </span>
  );
}

function PublicFile({ file, place }: { file: Attachment; place: FilesPlace }) {
  const t = useTexts();
  const [shown, setShown] = useState<string>();
  const [brokenThumbnail, setBrokenThumbnail] = useState<string>();
  const thumbnail = useThumbnail(file, place);
  const isPicture = isInline(file.content_type);
  const download = async () => {
    const url = await linkOf(place, file.id, t);
    if (url) Object.assign(document.createElement('a'), { href: url, download: file.file_name }).click();
  };
  const toggle = async () => setShown(shown ? undefined : await linkOf(place, file.id, t));
  const failed = () => {
    setShown(undefined);
    notify.error(t('file.try_again'), t('file.image_failed'));
  };
  return (
    <li className="overflow-hidden rounded-md border bg-surface text-md">
      <div className="flex flex-wrap items-center gap-x-2.5 py-1.5 ps-1.5 pe-1 [&_svg]:size-4 [&_svg]:shrink-0">
        <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-sm bg-sunken">
          {thumbnail && thumbnail !== brokenThumbnail ? (
            <img src={thumbnail} alt="" onError={() => setBrokenThumbnail(thumbnail)} className="size-10 object-cover" />
          ) : (
            <FileIcon type={file.content_type} />
          )}
        </span>
        <span
          className="min-w-0 flex-1 truncate max-sm:max-w-[calc(100%-3.5rem)] max-sm:basis-[calc(100%-3.5rem)]"
          dir="auto"
          title={file.file_name}
        >
          {file.file_name}
        </span>
        <span className="shrink-0 text-muted tabular max-sm:flex-1">{sizeText(file.size)}</span>
        {isPicture && (
          <Button
            variant="ghost"
            size="lg"
            aria-expanded={shown !== undefined}
            aria-label={t(shown ? 'file.hide_name' : 'file.show_name', { name: file.file_name })}
            className="h-11 px-2.5!"
            onClick={() => void toggle()}
          >
            {t(shown ? 'file.hide' : 'file.show')}
          </Button>
        )}
        <Button
          variant="ghost"
          size="lg"
          aria-label={t('file.download_name', { name: file.file_name, size: sizeText(file.size) })}
          className="h-11 px-2.5!"
          onClick={() => void download()}
        >
          {t('file.download')}
        </Button>
      </div>
      {shown && <img src={shown} alt={file.file_name} onError={failed} className="max-h-[70vh] w-full border-t bg-sunken object-contain" />}
    </li>
  );
}
