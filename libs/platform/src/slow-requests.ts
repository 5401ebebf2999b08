import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const sockets = new WeakSet<Socket>();

/**
 * Exempts a request from the 30 s within which a request must have arrived completely, for a large file over a slow connection. The caller
 * must enforce its own time limit, and call the returned function when the request is finished.
 */
export function exemptFromTimeout(request: IncomingMessage): () => void {
  const { socket } = request;
  sockets.add(socket);
  return () => sockets.delete(socket);
}

/** Whether the request on this connection is exempt from the timeout. */
export const isExemptFromTimeout = (socket: Socket): boolean => sockets.has(socket);

/**
 * Reads and discards the rest of a body, so that the client can read the response and the connection can be reused. Use it only if
 * the body's length is known to be limited. It replaces the current reader.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  request.removeAllListeners('readable');
  // A stream detects in the next tick that its listeners were removed.
  setImmediate(() => request.resume());
}
