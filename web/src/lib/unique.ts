/** 128 random bits in hex. Not `crypto.randomUUID`, which does not exist on pages without https. */
export const uniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Idempotency keys, one per text: submitting again after a lost response reuses the key, a changed text gets a new one. */
export function keyPerText(): (text: string) => string {
  let last = { text: '', key: '' };
  return (text) => {
    if (last.key === '' || last.text !== text) last = { text, key: uniqueKey() };
    return last.key;
  };
}
