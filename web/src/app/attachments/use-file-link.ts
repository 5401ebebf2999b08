import type { Attachment } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { useCallback } from 'react';
import { toLocalTime } from '../../lib/http';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { useLazyLinkAttachmentQuery } from './files.api';

/** A link that expires sooner than this is not used. */
const minRemainingMs = 10_000;

/** Returns a signed URL of a file: the cached one while it is valid, otherwise or with `fresh` a new one. */
export function useFileLink() {
  const [ask] = useLazyLinkAttachmentQuery();
  return useCallback(
    async (id: string, fresh = false): Promise<string> => {
      if (!fresh) {
        const { url, expires_at } = await ask(id, true).unwrap();
        if (toLocalTime(expires_at) - Date.now() > minRemainingMs) return url;
      }
      return (await ask(id, false).unwrap()).url;
    },
    [ask],
  );
}

/** Opens images in a new tab. The server sends everything else as a download. */
export function useOpenFile() {
  const link = useFileLink();
  return useCallback(
    async ({ id, file_name, content_type }: Attachment) => {
      // Opened before the response arrives: afterwards it no longer counts as a user action, and popup blockers would stop it.
      const tab = isInline(content_type) ? window.open('', '_blank') : null;
      if (tab) tab.opener = null;
      try {
        const url = await link(id);
        if (tab) tab.location.replace(url);
        else Object.assign(document.createElement('a'), { href: url, download: file_name }).click();
      } catch (error) {
        tab?.close();
        notify.problem(error, t('tickets.attachments.failed_to_open_file'));
      }
    },
    [link],
  );
}
