import type { Attachment } from '@tandem/contracts';
import { isInline } from '@tandem/contracts/values';
import { useCallback } from 'react';
import { toLocalTime } from '../../../lib/http';
import { notify } from '../../../lib/notify';
import { useLazyLinkAttachmentQuery } from './attachments.api';

/** A link with less time than this is not worth using. */
const leastMs = 10_000;

/** A signed address of a file: the one that is known as long as it works, a new one then or when asked for. */
export function useFileLink() {
  const [ask] = useLazyLinkAttachmentQuery();
  return useCallback(
    async (id: string, fresh = false): Promise<string> => {
      if (!fresh) {
        const { url, expires_at } = await ask(id, true).unwrap();
        if (toLocalTime(expires_at) - Date.now() > leastMs) return url;
      }
      return (await ask(id, false).unwrap()).url;
    },
    [ask],
  );
}

/** Pictures open beside the page; everything else is saved, for the server says so. */
export function useOpenFile() {
  const link = useFileLink();
  return useCallback(
    async ({ id, file_name, content_type }: Attachment) => {
      // Opened before the answer is here: afterwards it is no longer the person's click, and browsers would hold it back.
      const tab = isInline(content_type) ? window.open('', '_blank') : null;
      if (tab) tab.opener = null;
      try {
        const url = await link(id);
        if (tab) tab.location.replace(url);
        else Object.assign(document.createElement('a'), { href: url, download: file_name }).click();
      } catch (error) {
        tab?.close();
        notify.problem(error, 'Failed to open file');
      }
    },
    [link],
  );
}
