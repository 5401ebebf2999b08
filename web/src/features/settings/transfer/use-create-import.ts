import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { keyPerText } from '../../../lib/unique';
import { useCreateImportMutation } from './imports.api';
import { importAddress } from './use-import-address';

/** Creates an import and opens it. */
export function useCreateImport() {
  const navigate = useNavigate();
  const [create, { isLoading }] = useCreateImportMutation();
  const [keyOf] = useState(keyPerText);
  const open = async (body: Parameters<typeof create>[0]['body']) => {
    const { data, error } = await create({ body, key: keyOf(JSON.stringify(body)) });
    if (data) void navigate(importAddress(data.id));
    return error;
  };
  return { open, isLoading };
}
