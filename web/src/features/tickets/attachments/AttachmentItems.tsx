import type { Attachment } from '@tandem/contracts';
import { isInline, picturesIn } from '@tandem/contracts/values';
import { useState } from 'react';
import { FileChip, FilePicture } from '../../../app/attachments/StoredFiles';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useListAttachmentsQuery } from './attachments.api';

/** Larger images open on request only, to save mobile data. */
const previewMaxBytes = 5 * 1024 * 1024;

function Item({ file }: { file: Attachment }) {
  // A file with an image type that cannot be displayed is shown as a plain file.
  const [broken, setBroken] = useState(false);
  const asPicture = isInline(file.content_type) && file.size <= previewMaxBytes && !broken;
  return (
    <li className="flex max-w-full">
      {asPicture ? <FilePicture file={file} onFailed={() => setBroken(true)} /> : <FileChip file={file} />}
    </li>
  );
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
