import PostalMime, { type Email } from 'postal-mime';
import { charsetOf, headersInUtf8 } from './charset';
import { UnreadableMail } from './parsed-mail';

/** Our own limits; e-mails written by people stay far below them. */
export const mimeLimits = {
  /** Above the limit of the SMTP listener and of mailboxes, which refuse larger e-mails first. */
  bytes: 32 * 1024 * 1024,
  depth: 60,
  headerBytes: 512 * 1024,
  parts: 200,
  /** Total of all text parts, in bytes. */
  textBytes: 2 * 1024 * 1024,
  seconds: 20,
} as const;
const linesAtOnce = 2_000;

interface Part {
  contentType: { parsed: { value: string; params: Record<string, string> }; multipart: string | false };
  contentDisposition: { parsed: { value: string; params: Record<string, string> } };
  content: ArrayBuffer | null;
  contentDecoder: object | null;
  setupContentDecoder(encoding: string): void;
}
interface Inside {
  readPos: number;
  av: Uint8Array;
  currentNode: Part;
  finalize(): Promise<void>;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  collectNode(node: Part, alternative: Part | false, related: boolean): Promise<void>;
}
// Internals that the type declarations leave out. The version is pinned, and `parse.spec.ts` fails if they change.
const Parser = PostalMime as unknown as new (options: object) => Inside & Pick<PostalMime, 'parse'>;

/**
 * postal-mime with limits. It reads an e-mail line by line, so this yields to other requests every few thousand lines, and aborts e-mails
 * that are crafted to take minutes. Ignores parts and text beyond the limits.
 */
class BoundedParser extends Parser {
  #lines = 0;
  #parts = 0;
  #last: Part | undefined;
  #text: number = mimeLimits.textBytes;
  readonly #deadline = performance.now() + mimeLimits.seconds * 1000;

  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    if (++this.#lines % linesAtOnce === 0) await this.#pause();
    if (this.currentNode !== this.#last) {
      this.#last = this.currentNode;
      collectPlainly(this.#last);
      if (++this.#parts > mimeLimits.parts) {
        this.readPos = this.av.length;
        return this.finalize();
      }
    }
    return super.processLine(line, isFinal);
  }

  override collectNode(node: Part, alternative: Part | false, related: boolean): Promise<void> {
    const { value, params } = node.contentType.parsed;
    if (node.content && (value === 'text/plain' || value === 'text/html' || value === '')) this.#prepareText(node, params, value);
    return super.collectNode(node, alternative, related);
  }

  #prepareText(node: Part, params: Record<string, string>, type: string): void {
    if (type === '') node.contentType.parsed.value = 'text/plain';
    const disposition = node.contentDisposition.parsed;
    // A named text file is an attachment, even if its disposition is inline.
    if (disposition.value === 'attachment' || disposition.params.filename || params.name) {
      disposition.value = 'attachment';
      return;
    }
    const size = Math.min(node.content!.byteLength, this.#text);
    this.#text -= size;
    node.content = node.content!.slice(0, size);
    const bytes = new Uint8Array(node.content);
    const label = params.charset ?? (type === 'text/html' ? charsetInHtml(bytes) : undefined);
    params.charset = charsetOf(bytes, label);
  }

  async #pause(): Promise<void> {
    await new Promise(setImmediate);
    if (performance.now() > this.#deadline) throw new UnreadableMail('Reading it takes too long');
  }
}

/**
 * Concatenates lines that need no decoding. postal-mime's own implementation, a Blob with one piece per line, blocks the event loop for
 * seconds on e-mails of several megabytes.
 */
class Lines {
  #bytes = Buffer.alloc(1024);
  #length = 0;

  update(line: Uint8Array): void {
    const length = this.#length + line.length + 1;
    if (length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes.subarray(0, this.#length)], length * 2);
    this.#bytes.set(line, this.#length);
    this.#bytes[length - 1] = 0x0a;
    this.#length = length;
  }

  finalize(): Promise<ArrayBuffer> {
    return Promise.resolve(new Uint8Array(this.#bytes.subarray(0, this.#length)).buffer);
  }
}

function collectPlainly(node: Part): void {
  const usual = node.setupContentDecoder.bind(node);
  node.setupContentDecoder = (encoding) => {
    if (/base64|quoted-printable/i.test(encoding)) usual(encoding);
    else node.contentDecoder = new Lines();
  };
}

const charsetInHtml = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(Buffer.from(bytes.subarray(0, 4096)).toString('latin1'))?.[1];

/** Parses an e-mail into its parts. Embedded messages (`message/rfc822`) stay attachments. */
export async function readMime(raw: Buffer): Promise<Email> {
  if (raw.length > mimeLimits.bytes) throw new UnreadableMail('It is too large');
  const parser = new BoundedParser({
    forceRfc822Attachments: true,
    maxNestingDepth: mimeLimits.depth,
    maxHeadersSize: mimeLimits.headerBytes,
    attachmentEncoding: 'arraybuffer',
  });
  try {
    return await parser.parse(headersInUtf8(raw));
  } catch (error) {
    if (error instanceof UnreadableMail) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableMail(
      /nesting/i.test(reason)
        ? 'Its parts are nested too deeply'
        : /header size/i.test(reason)
          ? 'Its headers are too large'
          : 'It cannot be read',
      { cause: error },
    );
  }
}
