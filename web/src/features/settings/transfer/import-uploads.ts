import { importLimits } from '@tandem/contracts/values';
import { again, readAgain } from '../../../app/read-again';
import { getAppStore } from '../../../app/store';
import { announce } from '../../../lib/announce';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { onSignOut } from '../../../lib/session-cleanup';
import { t } from '../../../lib/staff-texts';
import { uniqueKey } from '../../../lib/unique';
import { nameOfFile, sizeText } from '../../../lib/uploads';
import { importsApi, refreshImport } from './imports.api';

/** A file of an import that this page uploads, or could not upload. */
export interface ImportUpload {
  key: string;
  importId: string;
  file: File;
  /** Set once it is announced. */
  fileId?: string;
  state: 'waiting' | 'uploading' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** Why it failed. */
  reason?: string;
  canRetry: boolean;
}

/** Outlives the settings page: an upload of an hour continues while its admin reads tickets. */
const uploads = createExternalStore<readonly ImportUpload[]>(() => []);
export const useImportUploads = (importId: string): readonly ImportUpload[] => {
  const all = uploads.use();
  return all.filter((upload) => upload.importId === importId);
};

let running: { key: string; controller: AbortController } | undefined;
onSignOut({ drop: () => running?.controller.abort() });

/** The browser asks before a reload ends an upload. */
const askBeforeReload = (event: BeforeUnloadEvent) => event.preventDefault();

const change = (key: string, news: Partial<ImportUpload>) =>
  uploads.set(uploads.get().map((upload) => (upload.key === key ? { ...upload, ...news } : upload)));
const drop = (key: string) => uploads.set(uploads.get().filter((upload) => upload.key !== key));

function refusalOf({ size }: File): string | undefined {
  if (size === 0) return t('settings.transfer.file_is_empty');
  return size > importLimits.fileBytes ? t('settings.transfer.file_too_large', { size: sizeText(importLimits.fileBytes) }) : undefined;
}

const uploadOf = (importId: string, file: File): ImportUpload => {
  const reason = refusalOf(file);
  const common = { key: uniqueKey(), importId, file, progress: 0 };
  return reason ? { ...common, state: 'failed', reason, canRetry: false } : { ...common, state: 'waiting', canRetry: true };
};

async function upload({ key, importId, file }: ImportUpload, signal: AbortSignal): Promise<void> {
  const { dispatch } = getAppStore();
  const { sendFile, failureOf } = await import('../../../lib/send-file');
  const announced = importsApi.endpoints.announceImportFile.initiate({ id: importId, file_name: nameOfFile(file.name), size: file.size });
  const { data, error } = await dispatch(announced);
  if (!data) throw failureOf(error);
  change(key, { fileId: data.file_id });
  await sendFile(data.upload_url, file, (progress) => change(key, { progress }), signal);
  announce(t('settings.transfer.name_uploaded', { name: file.name }));
  // The list shows the file of the server from now on, without a moment in which it shows neither.
  await readAgain(() => dispatch(importsApi.endpoints.readImport.initiate(importId, again)));
  drop(key);
}

/** Uploads one file after another: two at a time would not be faster. */
async function run(): Promise<void> {
  if (running) return;
  addEventListener('beforeunload', askBeforeReload);
  for (let next = nextUpload(); next; next = nextUpload()) {
    const controller = new AbortController();
    running = { key: next.key, controller };
    change(next.key, { state: 'uploading' });
    try {
      await upload(next, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) fail(next, error);
    }
  }
  running = undefined;
  removeEventListener('beforeunload', askBeforeReload);
}
const nextUpload = () => uploads.get().find(({ state }) => state === 'waiting');

function fail({ key, file }: ImportUpload, error: unknown): void {
  const reason = error instanceof Error ? error.message : t('settings.transfer.upload_failed');
  change(key, { state: 'failed', reason, canRetry: !(error instanceof Error && 'canRetry' in error && error.canRetry === false) });
  announce(`${file.name}: ${reason}`);
}

/** `stored`: the number of files that the import already has. */
export function addImportFiles(importId: string, files: readonly File[], stored: number): void {
  const pending = uploads.get().filter((each) => each.importId === importId && !each.fileId && each.canRetry).length;
  const taken = files.slice(0, Math.max(0, importLimits.files - stored - pending));
  if (taken.length < files.length) notify.error(t('settings.transfer.too_many_files', { count: importLimits.files }));
  uploads.set([...uploads.get(), ...taken.map((file) => uploadOf(importId, file))]);
  void run();
}

/** Stops a running upload, and removes it from the page and from the import. */
export async function cancelImportUpload({ key, importId, fileId }: ImportUpload): Promise<void> {
  if (running?.key === key) running.controller.abort();
  drop(key);
  if (fileId) await removeStored(importId, fileId);
}

const removeStored = (id: string, file_id: string) =>
  getAppStore().dispatch(importsApi.endpoints.removeImportFile.initiate({ id, file_id }));

/** Uploads a file again: from its beginning, as a new file of the import. */
export async function retryImportUpload(failed: ImportUpload): Promise<void> {
  const { key, importId, fileId } = failed;
  if (fileId) await removeStored(importId, fileId);
  uploads.set(uploads.get().map((each) => (each.key === key ? uploadOf(importId, each.file) : each)));
  getAppStore().dispatch(refreshImport(importId));
  void run();
}
