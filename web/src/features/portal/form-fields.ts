import type { FormField } from '@tandem/contracts';
import { listFormFields } from '@tandem/contracts/endpoints';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call';
import { read, send } from '../../lib/http';
import { tabStorage } from '../../lib/tab-storage';

const key = 'portal-form-fields';
const store = (fields: FormField[] | undefined) => {
  if (fields) tabStorage.write(key, fields);
  return fields;
};

/**
 * The custom fields that the form asks for; none until they are loaded, or if they cannot be. They are cached in the tab, so that the form
 * does not grow after a reload.
 */
export function useFormFields() {
  const [fields, set] = useState<FormField[]>(() => tabStorage.read<FormField[]>(key) ?? []);
  useEffect(() => {
    const leaving = new AbortController();
    read(call(listFormFields), leaving.signal).then(
      ({ data }) => {
        const loaded = store(data);
        if (loaded) set(loaded);
      },
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, []);
  return { fields, set, load: async () => store((await send(call(listFormFields))).data) };
}
