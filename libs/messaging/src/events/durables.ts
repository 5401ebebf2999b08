import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { Nats } from './nats';

export interface Durable {
  name: string;
  /** Events that it has not received yet. Those of a durable without a consumer are never received. */
  pending: number;
  /** Events that it has received and not acknowledged. */
  unfinished: number;
}

/** All durables on the stream of events, sorted by name. */
export async function listDurables(nats: Nats): Promise<Durable[]> {
  const { jsm } = await nats.connected();
  const durables: Durable[] = [];
  for await (const { config, num_pending, num_ack_pending } of jsm.consumers.list(nats.stream)) {
    // Ephemeral consumers (live pages, access changes) end with their process.
    if (config.durable_name !== undefined) durables.push({ name: config.durable_name, pending: num_pending, unfinished: num_ack_pending });
  }
  return durables.sort((one, other) => one.name.localeCompare(other.name));
}

/** Removes a durable; returns false if there is none of this name. */
export async function removeDurable(nats: Nats, name: string): Promise<boolean> {
  const { jsm } = await nats.connected();
  try {
    return await jsm.consumers.delete(nats.stream, name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === (JetStreamApiCodes.ConsumerNotFound as number)) return false;
    throw error;
  }
}
