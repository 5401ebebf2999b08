import { findKeyUse } from '../keys';
import { failed, ok, type Finding } from './finding';

export async function checkEncryptionKeys(): Promise<Finding[]> {
  const absent = (await findKeyUse()).filter(({ is_configured }) => !is_configured);
  if (absent.length === 0) return [ok('Every stored secret can be opened with a key in ENCRYPTION_KEYS.')];
  return absent.map(({ key_id, values }) => {
    const places = Object.keys(values).join(', ');
    const fix =
      `Add ${key_id} with its previous value to ENCRYPTION_KEYS of all services; it is in your copy of .env or in your secret store. ` +
      'A new value under this name does not open them.';
    return failed(`Stored secrets need the key ${key_id}, which is not configured (${places}).`, fix);
  });
}
