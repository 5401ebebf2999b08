import { useCallback, useRef } from 'react';
import { announce } from './announce';
import { uiText } from './ui-texts';
import { nameOfFile, type Upload } from './uploads';

/** Announces a file to the server, the first of two steps; the endpoint depends on where the file is attached. */
export type AnnounceFile = (file: {
  file_name: string;
  size: number;
}) => PromiseLike<{ data?: { attachment_id: string; upload_url: string } | undefined; error?: unknown }>;

/** At most two uploads at a time: the browser has six connections per host, and the page needs some of them. */
const atOnce = 2;

/** Waits for a free slot and returns a function that releases it. */
function useTurns() {
  const turns = useRef({ taken: 0, waiting: [] as (() => void)[] });
  return useCallback(async () => {
    const state = turns.current;
    if (state.taken >= atOnce) await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.taken += 1;
    return () => {
      const next = state.waiting.shift();
      if (next) next();
      else state.taken -= 1;
    };
  }, []);
}

/** Announces and sends one file and reports each step to `update`. Never throws. */
export function useSendUpload(announceFile: AnnounceFile, update: (key: string, news: Partial<Upload>) => void) {
  const turn = useTurns();
  return useCallback(
    async ({ key, file, name }: Upload, signal: AbortSignal) => {
      if (!file) return;
      const releaseSlot = await turn();
      try {
        if (signal.aborted) return;
        // Loaded on demand: most messages have no files.
        const { sendFile, failureOf } = await import('./send-file');
        const { data, error } = await announceFile({ file_name: nameOfFile(name), size: file.size });
        if (!data) throw failureOf(error);
        if (signal.aborted) return;
        update(key, { id: data.attachment_id });
        await sendFile(data.upload_url, file, (progress) => update(key, { progress }), signal);
        update(key, { state: 'done', progress: 1 });
        announce(uiText('file_attached', { name }));
      } catch (error) {
        if (signal.aborted) return;
        const reason = error instanceof Error ? error.message : uiText('upload_failed');
        update(key, { state: 'failed', reason, canRetry: !(error instanceof Error && 'canRetry' in error && error.canRetry === false) });
        announce(`${name}: ${reason}`);
      } finally {
        releaseSlot();
      }
    },
    [announceFile, turn, update],
  );
}
