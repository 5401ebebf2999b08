import type { Import, ImportFile } from '@tandem/contracts';
import { importLimits } from '@tandem/contracts/values';
import { FileText, RotateCw, Upload, X } from 'lucide-react';
import { useRef } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { sizeText } from '../../../lib/uploads';
import { Button } from '../../../ui/Button';
import { DropArea } from '../../../ui/DropArea';
import { csvKindLabels } from './import-labels';
import { addImportFiles, cancelImportUpload, retryImportUpload, useImportUploads, type ImportUpload } from './import-uploads';
import { useRemoveImportFileMutation } from './imports.api';
import { SourceSteps } from './SourceSteps';

/** A file of the import, as the server and this page know it. */
interface Row {
  key: string;
  name: string;
  size: number;
  stored: ImportFile | undefined;
  upload: ImportUpload | undefined;
}

function rowsOf(files: readonly ImportFile[], uploads: readonly ImportUpload[]): Row[] {
  const stored = files.map((file) => ({
    key: file.id,
    name: file.file_name,
    size: file.size,
    stored: file,
    upload: uploads.find(({ fileId }) => fileId === file.id),
  }));
  const others = uploads.filter(({ fileId }) => !files.some(({ id }) => id === fileId));
  return [
    ...stored,
    // The same key as when the server's list contains the file, so that a button under the pointer or with the focus stays.
    ...others.map((upload) => ({
      key: upload.fileId ?? upload.key,
      name: upload.file.name,
      size: upload.file.size,
      stored: undefined,
      upload,
    })),
  ];
}

function UploadState({ row: { name, size, stored, upload } }: { row: Row }) {
  if (upload?.state === 'failed') return <p className="text-xs [overflow-wrap:anywhere] text-red-text">{upload.reason}</p>;
  if (upload) {
    const percent = Math.floor(upload.progress * 100);
    return (
      <div className="flex items-center gap-2 text-xs text-muted tabular">
        <progress
          aria-label={t('settings.transfer.uploading_name', { name })}
          max={100}
          value={percent}
          className="block h-1.5 min-w-0 flex-1 overflow-hidden rounded-full accent-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
        />
        <span>
          {upload.state === 'waiting'
            ? t('settings.transfer.waiting')
            : t('settings.transfer.percent_of_size', { percent, size: sizeText(size) })}
        </span>
      </div>
    );
  }
  if (!stored?.is_uploaded) return <p className="text-xs text-pretty text-amber-text">{t('settings.transfer.upload_interrupted')}</p>;
  const kind = stored.kind && csvKindLabels[stored.kind];
  return <p className="text-xs text-muted tabular">{kind ? `${kind} · ${sizeText(size)}` : sizeText(size)}</p>;
}

function FileRow({ importId, row, isEditable }: { importId: string; row: Row; isEditable: boolean }) {
  const [removeFile, { isLoading }] = useRemoveImportFileMutation();
  const { name, upload, stored } = row;
  const remove = async () => {
    if (upload) return cancelImportUpload(upload);
    const { error } = await removeFile({ id: importId, file_id: stored!.id });
    if (error) notify.problem(error, t('settings.transfer.couldnt_remove_file'));
  };
  return (
    <li className="flex items-center gap-3 py-2">
      <FileText className="size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]" dir="auto">
          {name}
        </p>
        <UploadState row={row} />
      </div>
      {isEditable && upload?.state === 'failed' && upload.canRetry && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('settings.transfer.upload_name_again', { name })}
          title={t('settings.transfer.upload_again')}
          onClick={() => void retryImportUpload(upload)}
        >
          <RotateCw aria-hidden />
        </Button>
      )}
      {isEditable && (
        <Button
          variant="ghost"
          size="icon-sm"
          busy={isLoading}
          aria-label={
            upload && upload.state !== 'failed'
              ? t('settings.transfer.cancel_upload_of_name', { name })
              : t('settings.transfer.remove_name', { name })
          }
          title={upload && upload.state !== 'failed' ? t('settings.transfer.cancel_upload') : t('settings.transfer.remove')}
          onClick={() => void remove()}
        >
          {!isLoading && <X aria-hidden />}
        </Button>
      )}
    </li>
  );
}

function ChooseFiles({ onFiles, hasFiles }: { onFiles: (files: File[]) => void; hasFiles: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const label = hasFiles ? t('settings.transfer.add_files') : t('settings.transfer.choose_files');
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong bg-canvas px-4 py-6 text-center">
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={({ target }) => {
          if (target.files?.length) onFiles([...target.files]);
          // Reset, so that the same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
      <Button variant={hasFiles ? 'secondary' : 'primary'} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {label}
      </Button>
      <p className="text-xs text-pretty text-muted">
        {t('settings.transfer.or_drop_files', { count: importLimits.files, size: sizeText(importLimits.fileBytes) })}
      </p>
    </div>
  );
}

/** The files of the import: those on the server, and those that this page uploads. */
export function UploadStep({ current, isEditable }: { current: Import; isEditable: boolean }) {
  const uploads = useImportUploads(current.id);
  const rows = rowsOf(current.files, uploads);
  const add = (files: File[]) => addImportFiles(current.id, files, current.files.length);
  return (
    <DropArea className="flex flex-col gap-4" onFiles={(files) => isEditable && add(files)}>
      {isEditable && <SourceSteps source={current.source} />}
      {rows.length > 0 && (
        <ul aria-label={t('settings.transfer.files')} className="-my-2 divide-y">
          {rows.map((row) => (
            <FileRow key={row.key} importId={current.id} row={row} isEditable={isEditable} />
          ))}
        </ul>
      )}
      {isEditable && rows.length < importLimits.files && <ChooseFiles onFiles={add} hasFiles={rows.length > 0} />}
    </DropArea>
  );
}
