import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const sockets = new WeakSet<Socket>();

/**
 * Spares a request the time in which others must have arrived whole (30 s): a large file over a slow line. Whoever asks for this ends the
 * request by a clock of its own, and calls what is returned when it is over.
 */
export function unhurried(request: IncomingMessage): () => void {
  const { socket } = request;
  sockets.add(socket);
  return () => sockets.delete(socket);
}

/** Whether the request on this connection has a clock of its own. */
export const takesItsTime = (socket: Socket): boolean => sockets.has(socket);

/**
 * Reads the rest of a body that nobody wants, so that its sender gets to reading the answer and the connection is free again. Only where its
 * length is known to be bounded; it takes over from whoever was reading.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  request.removeAllListeners('readable');
  // Streams notice in the next tick that nobody listens.
  setImmediate(() => request.resume());
}
