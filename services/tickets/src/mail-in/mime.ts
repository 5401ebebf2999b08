import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { Splitter, type MimeNode, type SplitterChunk } from '@zone-eu/mailsplit';
import PostalMime, { type Email } from 'postal-mime';
import { cutRuns, hasRun, restoreRuns, type CutMail } from './base64-runs';
import { charsetOf, endOfHeaders, headersInUtf8 } from './charset';
import { UnreadableMail } from './parsed-mail';

/** Our own limits; emails written by people stay far below them. */
export const mimeLimits = {
  /** Above the limit of the SMTP listener and of mailboxes, which refuse larger emails first. */
  bytes: 32 * 1024 * 1024,
  depth: 60,
  headerBytes: 512 * 1024,
  /** Length of an address header; the rest is dropped. More than `parseMail` reads of it. */
  addressHeaderBytes: 128 * 1024,
  /** Parts beyond this number are dropped. */
  parts: 200,
  /** Total of all text parts, in bytes; the rest is dropped. */
  textBytes: 2 * 1024 * 1024,
} as const;

/** An unencoded part above this size is encoded before parsing: postal-mime collects such a part as one Blob piece per line. */
const maxUnencodedBytes = 64 * 1024;
/** Size of the writes to the splitter. */
const chunkBytes = 64 * 1024;

/** A leaf part: its headers and the pieces of its body as they were received. */
interface Leaf {
  node: MimeNode;
  body: Buffer[];
}

/**
 * Rewrites the parts that postal-mime would read wrongly or slowly, and copies the rest byte for byte: text whose declared encoding is
 * wrong, text files that are declared inline, and large unencoded parts. The first occurrence of a header counts, so changed headers are
 * added in front of the original ones.
 */
async function normalize(raw: Buffer, cut: CutMail): Promise<Buffer> {
  const splitter = new Splitter({ ignoreEmbedded: true, maxHeadSize: mimeLimits.headerBytes, maxChildNodes: mimeLimits.parts * 2 });
  const output: Buffer[] = [];
  const state = { text: mimeLimits.textBytes };
  let leaf: Leaf | undefined;
  let parts = 0;
  const finishLeaf = async () => {
    if (leaf) output.push(...(await rewritten(leaf, cut, state)));
    leaf = undefined;
  };
  try {
    for await (const chunk of Readable.from(slices(raw)).pipe(splitter) as AsyncIterable<SplitterChunk>) {
      if (chunk.type === 'body') leaf?.body.push(chunk.value);
      else await finishLeaf();
      if (chunk.type === 'data') output.push(chunk.value);
      if (chunk.type !== 'node') continue;
      if (++parts > mimeLimits.parts) break;
      if (chunk.multipart) output.push(chunk.getHeaders());
      else leaf = { node: chunk, body: [] };
    }
  } catch (error) {
    // The splitter counts empty parts, too, which it does not emit.
    if (!/child nodes/i.test((error as Error).message)) throw error;
  }
  await finishLeaf();
  return Buffer.concat(output);
}

const addressHeader = /^(from|sender|reply-to|to|cc|bcc|delivered-to|return-path)\s*:/i;

/** Shortens the headers that postal-mime parses as addresses, which takes more than a second for 500 KB of groups. */
function shortenAddressHeaders(raw: Buffer): Buffer {
  const end = endOfHeaders(raw);
  if (end <= mimeLimits.addressHeaderBytes || end > mimeLimits.headerBytes) return raw;
  const headers = raw.toString('latin1', 0, end).split(/\n(?![ \t])/);
  const short = headers.map((header) => (addressHeader.test(header) ? header.slice(0, mimeLimits.addressHeaderBytes) : header));
  return Buffer.concat([Buffer.from(short.join('\n'), 'latin1'), raw.subarray(end)]);
}

function* slices(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; at += chunkBytes) yield raw.subarray(at, at + chunkBytes);
}

async function rewritten(leaf: Leaf, cut: CutMail, state: { text: number }): Promise<Buffer[]> {
  const { node, body } = leaf;
  const type = (node.contentType || 'text/plain').toLowerCase();
  const isText = type === 'text/plain' || type === 'text/html';
  const isFile = node.disposition === 'attachment' || Boolean(node.filename);
  if (isText && !isFile) return text(leaf, type, state);
  const added = isText && node.disposition !== 'attachment' ? [asAttachment(node)] : [];
  if (isEncoded(node)) return [...lines(added), node.getHeaders(), ...body];
  const whole = Buffer.concat(body);
  if (whole.length <= maxUnencodedBytes && !hasRun(whole, cut)) return [...lines(added), node.getHeaders(), whole];
  const content = Buffer.from(whole.toString('base64'), 'latin1');
  return [...lines([...added, base64]), node.getHeaders(), content];
}

const base64 = 'Content-Transfer-Encoding: base64';
const isEncoded = ({ encoding }: MimeNode): boolean => /base64|quoted-printable/i.test(encoding || '');
const lines = (headers: string[]): Buffer[] => headers.map((header) => Buffer.from(`${header}\r\n`));

/** The same disposition, as an attachment: a named text file is one, even if its disposition is inline. */
function asAttachment(node: MimeNode): string {
  const [line = ''] = node.headers ? node.headers.get('content-disposition') : [];
  const parameters = line.indexOf(';');
  return `Content-Disposition: attachment${parameters < 0 ? '' : line.slice(parameters).replace(/\r?\n/g, '\r\n')}`;
}

/** Text with the encoding that its bytes have, up to the limit for all texts; unchanged if its own headers are right. */
async function text({ node, body }: Leaf, type: string, state: { text: number }): Promise<Buffer[]> {
  const whole = await decoded(node, body);
  const content = whole.subarray(0, state.text);
  state.text -= content.length;
  const declared = node.charset || (type === 'text/html' ? charsetInHtml(content) : undefined);
  const charset = charsetOf(content, declared);
  const isRight = content.length === whole.length && charset === (node.charset || '').toLowerCase();
  if (isRight && (isEncoded(node) || whole.length <= maxUnencodedBytes)) return [node.getHeaders(), ...body];
  const flowed = node.flowed ? `; format=flowed${node.delSp ? '; delsp=yes' : ''}` : '';
  const headers = [`Content-Type: ${type}; charset=${charset}${flowed}`, base64];
  return [...lines(headers), node.getHeaders(), Buffer.from(content.toString('base64'), 'latin1')];
}

async function decoded(node: MimeNode, body: Buffer[]): Promise<Buffer> {
  if (/base64/i.test(node.encoding || '')) return fromBase64(Buffer.concat(body).toString('latin1'));
  return isEncoded(node) ? buffer(Readable.from(body).pipe(node.getDecoder())) : Buffer.concat(body);
}

/** Some mail programs pad every line, so each run up to a padding is decoded on its own. */
const fromBase64 = (encoded: string): Buffer =>
  Buffer.concat(
    encoded
      .replace(/[^a-zA-Z0-9+/=]+/g, '')
      .split(/=+/)
      .map((unit) => Buffer.from(unit, 'base64')),
  );

const charsetInHtml = (bytes: Buffer): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 4096).toString('latin1'))?.[1];

/** Parses an email into its parts. Embedded messages (`message/rfc822`) stay attachments. */
export async function readMime(raw: Buffer): Promise<Email> {
  if (raw.length > mimeLimits.bytes) throw new UnreadableMail('It is too large');
  const cut = cutRuns(raw);
  const mail = await parsed(cut);
  return restoreRuns(mail.attachments, cut) ? mail : parsed({ ...cut, raw, runs: [] });
}

async function parsed(cut: CutMail): Promise<Email> {
  try {
    return await PostalMime.parse(await normalize(shortenAddressHeaders(headersInUtf8(cut.raw)), cut), {
      forceRfc822Attachments: true,
      maxNestingDepth: mimeLimits.depth,
      maxHeadersSize: mimeLimits.headerBytes,
      attachmentEncoding: 'arraybuffer',
    });
  } catch (error) {
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
