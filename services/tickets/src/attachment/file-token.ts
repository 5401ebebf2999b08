import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { attachmentRules } from '@tandem/contracts';

export interface FileToken {
  organization_id: string;
  attachment_id: string;
  /** With `export` and `import`, `attachment_id` is the id of the export, or of the file of an import. */
  for: 'upload' | 'download' | 'export' | 'import';
  expires_at: string;
}

/** Public paths of signed links: the gateway's `/api/v1` and the path of `uploadFile` and `downloadFile`, `downloadExport` or `uploadImportFile`. */
const paths = {
  upload: '/api/v1/files',
  download: '/api/v1/files',
  export: '/api/v1/export-files',
  import: '/api/v1/import-files',
} as const;
export const fileUrl = (token: string, purpose: FileToken['for'] = 'download'): string => `${paths[purpose]}/${token}`;

const macOf = (key: Buffer, payload: string): Buffer => createHmac('sha256', key).update(payload).digest();

/**
 * Signed links: the holder may upload or download that one file until the link expires, and nothing else. Each key is derived from
 * a secret in LINK_SECRET for this purpose only, so that a reply address is not valid as a file token, or the reverse.
 */
export class FileTokens {
  readonly #keys: Buffer[];

  /** The first secret signs, all of them verify. */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tandem file links', 32)));
  }

  sign(token: FileToken): string {
    const payload = Buffer.from(JSON.stringify(token)).toString('base64url');
    return `${payload}.${macOf(this.#keys[0]!, payload).toString('base64url')}`;
  }

  /** The link for one file, valid for `linkSeconds` from now. */
  link(token: Omit<FileToken, 'expires_at'>, now = new Date()): { url: string; expires_at: string } {
    const expires_at = new Date(now.getTime() + attachmentRules.linkSeconds * 1000).toISOString();
    return { url: fileUrl(this.sign({ ...token, expires_at }), token.for), expires_at };
  }

  /** Undefined if the token is forged, changed, expired or for another purpose. Compares in constant time, before parsing anything. */
  verify(text: string, purpose: FileToken['for'], nowMs: number): FileToken | undefined {
    const [payload = '', mac = '', ...rest] = text.split('.');
    const given = Buffer.from(mac, 'base64url');
    const isSigned = this.#keys.some((key) => {
      const expected = macOf(key, payload);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (rest.length > 0 || !isSigned) return undefined;
    const token = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as FileToken;
    return token.for === purpose && Date.parse(token.expires_at) > nowMs ? token : undefined;
  }
}
