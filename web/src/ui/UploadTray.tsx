import { lazy, Suspense } from 'react';
import type { Upload } from '../lib/uploads';

export interface UploadTrayProps {
  uploads: Upload[];
  onRemove: (key: string) => void;
  onRetry: (key: string) => void;
  className?: string;
}

const UploadItems = lazy(() => import('./UploadItems').then((module) => ({ default: module.UploadItems })));

/** The files of a text that is being written. Without any there is nothing, and its code is not loaded. */
export function UploadTray(props: UploadTrayProps) {
  if (props.uploads.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <UploadItems {...props} />
    </Suspense>
  );
}
