import { Transform, type TransformCallback } from 'node:stream';
import { createTransport } from 'nodemailer';

/** Emits all of its input at its end, as one buffer. */
class OneBuffer extends Transform {
  readonly #chunks: Buffer[] = [];

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.concat(this.#chunks));
  }
}

/**
 * A transport of nodemailer for SMTP. It writes an email to the socket at once: on its own, nodemailer writes about ten pieces, each with a
 * system call and a packet.
 */
export function smtpTransport(options: object) {
  const transport = createTransport({ ...options, disableFileAccess: true, disableUrlAccess: true } as Parameters<
    typeof createTransport
  >[0]);
  transport.use('stream', ({ message }, done) => {
    message.transform(() => new OneBuffer());
    done();
  });
  return transport;
}
