import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Connects, sends `send`, and resolves with the response as soon as `enough` accepts it. Rejects on error, end, or after `withinMs`. */
export function exchange(url: URL, send: string, enough: (answer: string) => boolean, withinMs = 2000, tls = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = tls ? connectTls({ host, port: Number(url.port), servername: host }) : connect({ host, port: Number(url.port) });
    let answer = '';
    const settle = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve(answer);
    };
    socket.setTimeout(withinMs, () => settle(new Error(`no answer from ${url.host} within ${withinMs} ms`)));
    socket.once(tls ? 'secureConnect' : 'connect', () => socket.write(send));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
      if (enough(answer)) settle();
    });
    socket.on('error', settle);
    socket.on('close', () =>
      settle(new Error(`${url.host} closed the connection${answer ? ` after '${answer.slice(0, 200).trim()}'` : ''}`)),
    );
  });
}
