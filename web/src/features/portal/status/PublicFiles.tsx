import type { Attachment } from '@tandem/contracts';
import { linkPublicAttachment } from '@tandem/contracts/endpoints';
import { isInline } from '@tandem/contracts/values';
import { useState } from 'react';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { sizeText } from '../../../lib/uploads';
import { Button } from '../../../ui/Button';
import { FileIcon } from '../../../ui/FileIcon';
import { refusalOf } from '../refusal';

export interface FilesPlace {
  ticketId: string;
  email: string;
}

/** A signed address that is valid for a few minutes, so it is requested for every download. */
async function linkOf({ ticketId, email }: FilesPlace, fileId: string): Promise<string | undefined> {
  const { data, problem } = await send(call(linkPublicAttachment, { params: { id: ticketId, attachmentId: fileId }, body: { email } }));
  if (!problem) return data.url;
  notify.error(refusalOf(problem), 'Couldn’t open the file');
  return undefined;
}

/** The attachments of a comment. Files are loaded only on request, because the customer may be on a metered connection. */
export const PublicFiles = ({ files, place }: { files: Attachment[]; place: FilesPlace }) => (
  <ul aria-label="Files" className="mt-3 flex flex-col gap-2">
    {files.map((file) => (
      <PublicFile key={file.id} file={file} place={place} />
    ))}
  </ul>
);

function PublicFile({ file, place }: { file: Attachment; place: FilesPlace }) {
  const [shown, setShown] = useState<string>();
  const isPicture = isInline(file.content_type);
  const download = async () => {
    const url = await linkOf(place, file.id);
    if (url) Object.assign(document.createElement('a'), { href: url, download: file.file_name }).click();
  };
  const toggle = async () => setShown(shown ? undefined : await linkOf(place, file.id));
  const failed = () => {
    setShown(undefined);
    notify.error('Please try again.', 'Couldn’t show the image');
  };
  return (
    <li className="overflow-hidden rounded-md border bg-surface text-md">
      <div className="flex flex-wrap items-center gap-x-2.5 py-1 pr-1 pl-3 [&_svg]:size-4 [&_svg]:shrink-0">
        <FileIcon type={file.content_type} />
        <span
          className="min-w-0 flex-1 truncate max-sm:max-w-[calc(100%-2.5rem)] max-sm:basis-[calc(100%-2.5rem)]"
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
            aria-label={`${shown ? 'Hide' : 'Show'} ${file.file_name}`}
            className="h-11 px-2.5!"
            onClick={() => void toggle()}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
        )}
        <Button
          variant="ghost"
          size="lg"
          aria-label={`Download ${file.file_name}, ${sizeText(file.size)}`}
          className="h-11 px-2.5!"
          onClick={() => void download()}
        >
          Download
        </Button>
      </div>
      {shown && <img src={shown} alt={file.file_name} onError={failed} className="max-h-[70vh] w-full border-t bg-sunken object-contain" />}
    </li>
  );
}
