import { lazy, Suspense } from 'react';
import { useFieldsRequest } from './required-fields';

const RequiredFieldsDialog = lazy(() => import('./RequiredFieldsDialog').then((module) => ({ default: module.RequiredFieldsDialog })));

/** The dialog of `requestFields`. Its code is loaded when it first opens. */
export function RequiredFields() {
  const request = useFieldsRequest();
  if (!request) return null;
  return (
    <Suspense fallback={null}>
      <RequiredFieldsDialog request={request} />
    </Suspense>
  );
}
