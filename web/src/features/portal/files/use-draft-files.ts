import { announcePublicAttachment } from '@tandem/contracts/endpoints';
import { attachmentRules } from '@tandem/contracts/values';
import { useEffect, useMemo } from 'react';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import type { AnnounceFile } from '../../../lib/use-send-upload';
import type { Upload } from '../../../lib/uploads';
import { useUploads, type Uploads } from '../../../lib/use-uploads';
import { useTexts, type PortalTranslate } from '../language/texts';
import { refusalOf } from '../refusal';
import { tabStorage } from '../../../lib/tab-storage';

/** Uploads need no account: anyone who knows the id of a file may attach it, and only its uploader receives the id. */
const announceFile =
  (t: PortalTranslate): AnnounceFile =>
  async (file) => {
    const { data, problem } = await send(call(announcePublicAttachment, { body: file }));
    return problem ? { error: { ...problem, detail: refusalOf(problem, t) } } : { data };
  };

type Kept = Pick<Upload, 'key' | 'name' | 'size' | 'type' | 'id'> & { isThere: boolean; at: number };

/** Files on the server are stored for a day; uploads that were running when the page was closed are lost. */
function restored(key: string, t: PortalTranslate): Upload[] {
  const freshMs = attachmentRules.unusedHours * 3_600_000;
  return (tabStorage.read<Kept[]>(key) ?? [])
    .filter(({ at }) => Date.now() - at < freshMs)
    .map(({ isThere, at: _, ...file }) =>
      isThere
        ? { ...file, state: 'done', progress: 1, canRetry: true }
        : { ...file, state: 'failed', progress: 0, canRetry: false, reason: t('files.lost') },
    );
}

/** The attachments of a customer's message. They survive a reload, like the text (draft.ts). */
export function useDraftFiles(name: string): Uploads {
  const key = `draft-files:${name}`;
  const t = useTexts();
  const announce = useMemo(() => announceFile(t), [t]);
  const uploads = useUploads(announce, () => restored(key, t));
  useEffect(() => {
    const since = new Map(tabStorage.read<Kept[]>(key)?.map(({ key, at }) => [key, at]));
    const kept = uploads.uploads
      .filter(({ state }) => state !== 'failed')
      .map(({ key, name, size, type, id, state }): Kept => {
        return { key, name, size, type, ...(id ? { id } : {}), isThere: state === 'done', at: since.get(key) ?? Date.now() };
      });
    tabStorage.write(key, kept);
  }, [key, uploads.uploads]);
  return uploads;
}

/** Why the message cannot be sent yet: running or failed uploads must not be dropped silently. */
export function blockingFileProblem({ uploads, isBusy }: Uploads, t: PortalTranslate): string | undefined {
  if (isBusy) return t('files.busy');
  if (uploads.some(({ state }) => state === 'failed')) return t('files.broken');
  return undefined;
}
