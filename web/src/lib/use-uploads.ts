import { attachmentRules } from '@tandem/contracts/values';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { announce } from './announce';
import { notify } from './notify';
import { uiText } from './ui-texts';
import { uniqueKey } from './unique';
import { useSendUpload, type AnnounceFile } from './use-send-upload';
import { refusalOf, type Upload } from './uploads';

export interface Uploads {
  uploads: Upload[];
  /** Announces and sends the files; a file that cannot be attached is listed with the reason. */
  add: (files: Iterable<File>) => void;
  retry: (key: string) => void;
  /** Aborts a running upload. The server removes unused files after a day. */
  remove: (key: string) => void;
  clear: () => void;
  /** Restores the list after an undone or failed send. */
  restore: (uploads: Upload[]) => void;
  /** An upload is running: sending the message has to wait. */
  isBusy: boolean;
  /** Ids of the uploaded files, for `attachment_ids`. */
  ids: string[];
}

function uploadOf(file: File): Upload {
  const reason = refusalOf(file);
  const common = { key: uniqueKey(), file, name: file.name, size: file.size, type: file.type, progress: 0 };
  return reason ? { ...common, state: 'failed', reason, canRetry: false } : { ...common, state: 'uploading', canRetry: true };
}

/**
 * The uploads of one message that is being written. They are dropped with the page; a caller that stores them across a reload passes them
 * as `initially`.
 */
export function useUploads(announceFile: AnnounceFile, initially: () => Upload[] = () => []): Uploads {
  const [uploads, setUploads] = useState<Upload[]>(initially);
  // The list that `add` works on: a second drop sees the files of the first, even if React has not rendered them yet.
  const latest = useRef(uploads);
  const running = useRef(new Map<string, AbortController>());
  const change = useCallback((next: (current: Upload[]) => Upload[]) => setUploads((latest.current = next(latest.current))), []);
  const update = useCallback(
    (key: string, news: Partial<Upload>) => change((all) => all.map((each) => (each.key === key ? { ...each, ...news } : each))),
    [change],
  );
  const send = useSendUpload(announceFile, update);

  const start = useCallback(
    (upload: Upload) => {
      const controller = new AbortController();
      running.current.set(upload.key, controller);
      void send(upload, controller.signal).finally(() => running.current.delete(upload.key));
    },
    [send],
  );
  const stop = useCallback((key: string) => running.current.get(key)?.abort(), []);
  useEffect(() => {
    const all = running.current;
    return () => all.forEach((controller) => controller.abort());
  }, []);

  const actions = useMemo(
    () => ({
      add: (files: Iterable<File>) => {
        const offered = [...files];
        const room = attachmentRules.maxFiles - latest.current.filter(({ canRetry }) => canRetry).length;
        const taken = offered.slice(0, Math.max(0, room)).map(uploadOf);
        if (taken.length < offered.length) notify.error(uiText('too_many_files', { count: attachmentRules.maxFiles }));
        for (const { name, reason } of taken) if (reason) announce(`${name}: ${reason}`);
        change((all) => [...all, ...taken]);
        for (const upload of taken) if (upload.state === 'uploading') start(upload);
      },
      retry: (key: string) => {
        const upload = latest.current.find((each) => each.key === key && each.state === 'failed' && each.canRetry);
        if (!upload) return;
        update(key, { state: 'uploading', progress: 0 });
        start(upload);
      },
      remove: (key: string) => {
        stop(key);
        change((all) => all.filter((each) => each.key !== key));
      },
      clear: () => {
        latest.current.forEach(({ key }) => stop(key));
        change(() => []);
      },
      restore: (back: Upload[]) => {
        change((all) => [...back, ...all.filter(({ key }) => !back.some((each) => each.key === key))]);
        for (const upload of back) if (upload.state === 'uploading') start(upload);
      },
    }),
    [change, start, stop, update],
  );
  const ids = useMemo(() => uploads.flatMap(({ id, state }) => (id && state === 'done' ? [id] : [])), [uploads]);
  return { uploads, ...actions, isBusy: uploads.some(({ state }) => state === 'uploading'), ids };
}
