import { createTransport } from 'nodemailer';
import * as base64 from 'nodemailer/lib/base64';
import type MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';

/** An email or a part of one, exactly as nodemailer's streams write it. */
function mimeText(node: MimeNode): string {
  const headers = `${node.buildHeaders()}\r\n\r\n`;
  if (!node.multipart) return headers + encoded(node);
  const children = node.childNodes.map((child) => `--${node.boundary}\r\n${mimeText(child)}\r\n`);
  return `${headers}${children.join('')}--${node.boundary}--\r\n`;
}

function encoded(node: MimeNode): string {
  const { content } = node;
  if (!content) return '';
  if (typeof content !== 'string') throw new TypeError('a part of an email must be text');
  const encoding = node.getTransferEncoding();
  if (encoding === 'quoted-printable') return quotedPrintable.wrap(quotedPrintable.encode(content));
  return encoding === 'base64' ? base64.wrap(base64.encode(content)) : content;
}

/**
 * Builds an email in one step, for emails whose parts are text. nodemailer pipes each part through several streams and writes about ten pieces to
 * the socket, which takes several times as long.
 */
export function buildInOneStep(message: MimeNode): void {
  message.stream = (output, _options, written) => output.write(mimeText(message), written);
}

/** A transport of nodemailer for SMTP, for emails without attachments. */
export function smtpTransport(options: object) {
  const transport = createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true } as Parameters<
    typeof createTransport
  >[0]);
  transport.use('stream', ({ message }, done) => {
    buildInOneStep(message);
    done();
  });
  return transport;
}
