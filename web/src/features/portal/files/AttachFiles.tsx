import { attachmentRules } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { filesOf } from '../../../lib/uploads';
import type { Uploads } from '../../../lib/use-uploads';
import { useTexts } from '../language/texts';
import { DropArea } from '../../../ui/DropArea';
import { FileButton } from '../../../ui/FileButton';
import { UploadTray } from '../../../ui/UploadTray';

const { maxFiles, maxBytes } = attachmentRules;

/** The attachments of a message, each with its progress, its error and a touch-sized remove button. */
export function AttachFiles({ files }: { files: Uploads }) {
  const t = useTexts();
  return (
    <div className="flex flex-col gap-3">
      <UploadTray
        uploads={files.uploads}
        onRemove={files.remove}
        onRetry={files.retry}
        className="max-h-none! [&_button]:size-11 [&>li]:w-full [&>li]:text-md"
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <FileButton onFiles={files.add} showsLabel className="h-11 text-base!" />
        <p className="text-muted">{t('files.limits', { count: maxFiles, size: maxBytes / 1024 / 1024 })}</p>
      </div>
    </div>
  );
}

/** Accepts files that are dropped on the form or pasted into it. */
export const FileDropZone = ({ files, children }: { files: Uploads; children: ReactNode }) => (
  <DropArea onFiles={files.add}>
    <div
      onPaste={(event) => {
        const pasted = filesOf(event);
        if (pasted.length === 0) return;
        event.preventDefault();
        files.add(pasted);
      }}
    >
      {children}
    </div>
  </DropArea>
);
