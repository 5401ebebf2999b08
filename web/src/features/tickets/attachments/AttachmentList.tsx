import type { Attachment } from '@tandem/contracts';
import { lazy, Suspense } from 'react';

const load = () => import('./AttachmentItems');
const AttachmentItems = lazy(() => load().then((module) => ({ default: module.AttachmentItems })));
const InlinePicture = lazy(() => import('../../../app/attachments/StoredFiles').then((module) => ({ default: module.InlinePicture })));
const DescriptionFiles = lazy(() => load().then((module) => ({ default: module.DescriptionFiles })));

interface AttachmentListProps {
  attachments: Attachment[];
  /** The text of the comment if it is Markdown: files that it shows as pictures are not listed again. */
  markdown?: string;
  className?: string;
}

/** The files of a comment. Without files it renders nothing and loads no code. */
export function AttachmentList({ attachments, ...others }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <AttachmentItems attachments={attachments} {...others} />
    </Suspense>
  );
}

/** A picture at its place in the text of a comment. Reserves most of its height, so that little moves when it appears. */
export const CommentPicture = ({ file, alt }: { file: Attachment; alt: string }) => (
  <Suspense fallback={<span className="block h-40" />}>
    <InlinePicture file={file} alt={alt} />
  </Suspense>
);

/** The files of a ticket's description. They need their own request because the ticket does not include them. */
export function TicketAttachments({ ticketId, className }: { ticketId: string; className?: string }) {
  return (
    <Suspense fallback={null}>
      <DescriptionFiles ticketId={ticketId} className={className} />
    </Suspense>
  );
}
