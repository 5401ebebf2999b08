import { Socket, type AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { smtpTransport } from './smtp-transport';

describe('a transport for SMTP', () => {
  it('writes an email to the socket in one piece, complete and with its lines of dots', async () => {
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        let content = '';
        stream.on('data', (chunk: Buffer) => (content += chunk.toString()));
        stream.on('end', () => {
          received.push(content);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const transport = smtpTransport({ host: '127.0.0.1', port, ignoreTLS: true, pool: true });
    const write = jest.spyOn(Socket.prototype, 'write');
    try {
      const html = `<p>${'long '.repeat(20_000)}</p>`;
      await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Two parts', text: 'one\r\n.\r\n..two', html });

      const pieces = write.mock.calls.map(([data]) => String(data)).filter((data) => /Two parts|multipart|_Part_|long long/.test(data));
      expect(pieces).toHaveLength(1);
      expect(pieces[0]).toMatch(/^[^]*Subject: Two parts[^]*text\/plain[^]*text\/html[^]*long long[^]*--\r\n$/);
      expect(received).toHaveLength(1);
      expect(received[0]).toMatch(/\r\n\r\none\r\n\.\r\n\.\.two\r\n/);
      expect(received[0]!.match(/long/g)).toHaveLength(20_000);
    } finally {
      write.mockRestore();
      transport.close();
      await new Promise<void>((resolve) => server.close(resolve));
    }
  });
});
