import { lazy, Suspense } from 'react';
import type { UploadItemsProps } from './UploadItems';

const UploadItems = lazy(() => import('./UploadItems').then((module) => ({ default: module.UploadItems })));

/** The attachments of a message that is being written. Renders nothing and loads no code while there are none. */
export function UploadTray(props: UploadItemsProps) {
  if (props.uploads.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <UploadItems {...props} />
    </Suspense>
  );
}
