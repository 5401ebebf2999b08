import { useUploads as useUploadsTo, type Uploads } from '../../../lib/use-uploads';
import { useAnnounceAttachmentMutation } from '../../../app/attachments/files.api';

/** Uploads of files for a comment or ticket written by staff. */
export function useUploads(): Uploads {
  const [announceFile] = useAnnounceAttachmentMutation();
  return useUploadsTo(announceFile);
}
