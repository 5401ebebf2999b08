import { findKeyUse } from '../keys';
import { failed, ok, type Finding } from './finding';

export async function checkEncryptionKeys(): Promise<Finding[]> {
  const absent = (await findKeyUse()).filter(({ is_configured }) => !is_configured);
  if (absent.length === 0) return [ok('Every stored secret can be opened with a key in ENCRYPTION_KEYS.')];
  return absent.map(({ key_id, values }) => {
    const places = Object.keys(values).join(', ');
    return failed(`Stored secrets need the key ${key_id}, which is not configured (${places}).`, `Add ${key_id} to ENCRYPTION_KEYS.`);
  });
}
