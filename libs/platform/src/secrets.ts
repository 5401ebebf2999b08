import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/**
 * Encryption of stored secrets: AES-256-GCM. The key's id stands in the text, so that old texts open while new ones are sealed with
 * the first key; the purpose is authenticated with it, so that a value sealed for one use does not open for another.
 */
export class Secrets {
  readonly #keys: Map<string, Buffer>;
  readonly #current: string;

  /** `encryptionKeys`: `id:base64 of 32 bytes`, comma-separated, the current one first. */
  constructor(encryptionKeys: string) {
    this.#keys = new Map(
      encryptionKeys.split(',').map((pair) => {
        const [id = '', key = ''] = pair.split(':');
        const bytes = Buffer.from(key, 'base64');
        if (!id || bytes.length !== 32) throw new Error('An encryption key must be id:base64 of 32 bytes');
        return [id, bytes];
      }),
    );
    this.#current = [...this.#keys.keys()][0] ?? '';
  }

  /** `id.nonce.tag.text`, the last three in base64url. */
  seal(purpose: string, plain: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#current), nonce).setAAD(Buffer.from(purpose));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [this.#current, ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join('.');
  }

  /** Throws for another purpose, a key that is gone, or a changed text. */
  open(purpose: string, sealed: string): string {
    const [id = '', ...parts] = sealed.split('.');
    const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (!nonce || !tag || !text || parts.length !== 3 || nonce.length !== 12 || tag.length !== 16) throw new Error('Not a sealed value');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), nonce, { authTagLength: 16 })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  }

  /** Whether the value was sealed with another than the current key. */
  needsRotation(sealed: string): boolean {
    return sealed.split('.')[0] !== this.#current;
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key) throw new Error(`No encryption key with the id ${id}`);
    return key;
  }
}

/** What is stored of a token: SHA-256 in hex. Enough for 32 random bytes; never for a password. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** 32 random bytes as base64url, 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');
