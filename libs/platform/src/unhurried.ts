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
