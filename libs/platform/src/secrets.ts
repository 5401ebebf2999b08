import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

/**
 * Encryption of stored secrets with AES-256-GCM. The value contains the key's id, so that values sealed with old keys can be opened while
 * new ones use the first key. The purpose is authenticated data, so that a value sealed for one purpose cannot be opened for another.
 */
export class Secrets {
  /** A key passed as bytes would be imported at every call, which takes six times as long as decrypting a secret. */
  readonly #keys: Map<string, KeyObject>;
  readonly #current: string;

  /** `encryptionKeys`: `id:base64 of 32 bytes`, comma-separated, the current one first. */
  constructor(encryptionKeys: string) {
    this.#keys = new Map(
      encryptionKeys.split(',').map((pair) => {
        const [id = '', key = ''] = pair.split(':');
        const bytes = Buffer.from(key, 'base64');
        if (!id || bytes.length !== 32) throw new Error('An encryption key must be id:base64 of 32 bytes');
        return [id, createSecretKey(bytes)];
      }),
    );
    this.#current = [...this.#keys.keys()][0] ?? '';
  }

  /** Returns `id.nonce.tag.text`, the last three in base64url. */
  seal(purpose: string, plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#current), nonce).setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [this.#current, ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
  }

  /** Throws if the purpose differs, the key is no longer configured, or the value was changed. */
  open(purpose: string, sealed: string): string {
    const [id = '', ...parts] = sealed.split('.');
    const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (!nonce || !tag || !text || parts.length !== 3 || nonce.length !== 12 || tag.length !== 16) throw new Error('Not a sealed value');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), nonce, { authTagLength: 16 })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** Whether the value was sealed with a key other than the current one. */
  needsRotation(sealed: string): boolean {
    return sealed.split('.')[0] !== this.#current;
  }

  /** Whether values that were sealed with this key can be opened. */
  hasKey(id: string): boolean {
    return this.#keys.has(id);
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (!key) throw new Error(`No encryption key with the id ${id}`);
    return key;
  }
}

/** The stored form of a token: SHA-256 in hex. Sufficient for 32 random bytes, but never for a password. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** A new random token: 32 bytes as base64url, 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');
