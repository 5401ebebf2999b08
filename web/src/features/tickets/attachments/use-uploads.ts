import { useUploads as useUploadsTo, type Uploads } from '../../../lib/use-uploads';
import { useAnnounceAttachmentMutation } from './attachments.api';

/** The files of a text that staff write. */
export function useUploads(): Uploads {
  const [announceFile] = useAnnounceAttachmentMutation();
  return useUploadsTo(announceFile);
}
