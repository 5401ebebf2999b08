import PostalMime, { type Email } from 'postal-mime';
import { charsetOf, headersInUtf8 } from './charset';
import { UnreadableMail } from './parsed-mail';

/** Ours; a mail that a person wrote stays far below each. */
export const mimeLimits = {
  /** Spec of the listener: what is larger is not taken in the first place. */
  bytes: 32 * 1024 * 1024,
  depth: 60,
  headerBytes: 512 * 1024,
  parts: 200,
  /** Of all text parts together, as bytes. */
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
// What its declarations leave out and its code has; the version is pinned, and `parse.spec.ts` fails where it goes.
const Parser = PostalMime as unknown as new (options: object) => Inside & Pick<PostalMime, 'parse'>;

/**
 * postal-mime with bounds. It reads a mail line by line, so other requests have their turn every few thousand lines, and a mail that is made
 * to take minutes is given up; parts and text beyond the limits are not looked at.
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
    // A text file that a program shows inline is a file all the same.
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
 * Lines that need no decoding: put one behind the other here, because postal-mime's own way (a Blob of as many pieces as lines) takes
 * seconds for a mail of megabytes, and nobody else has a turn.
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

/** The parts of a mail. Messages inside it (`message/rfc822`) stay files. */
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
