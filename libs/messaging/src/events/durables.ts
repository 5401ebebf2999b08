import { JetStreamApiCodes, JetStreamApiError, type ConsumerInfo, type MsgRequest } from '@nats-io/jetstream';
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

/** A durable of a service, with the subjects that it receives. */
export interface ConsumedDurable {
  name: string;
  subjects: readonly string[];
}

export interface DurableLag {
  name: string;
  /** Events that it has not received yet. */
  pending: number;
  /** Events that it has received and not acknowledged: they are being processed, or wait for a retry. */
  unacknowledged: number;
  /** Age of the oldest event of both kinds in seconds; 0 if there is none. */
  oldestSeconds: number;
}

/** How far the durables are behind. One request for all of them, and one per subject of those that are behind. */
export async function measureLag(nats: Nats, durables: readonly ConsumedDurable[]): Promise<DurableLag[]> {
  const { jsm } = await nats.connected();
  const wanted = new Map(durables.map((durable) => [durable.name, durable]));
  const found: { durable: ConsumedDurable; info: ConsumerInfo }[] = [];
  for await (const info of jsm.consumers.list(nats.stream)) {
    const durable = wanted.get(info.name);
    if (durable) found.push({ durable, info });
  }
  return Promise.all(
    found.map(async ({ durable: { name, subjects }, info }) => {
      const lag = { name, pending: info.num_pending, unacknowledged: info.num_ack_pending };
      if (lag.pending + lag.unacknowledged === 0) return { ...lag, oldestSeconds: 0 };
      const times = await Promise.all(subjects.map((subject) => timeOfNext(nats, subject, info.ack_floor.stream_seq + 1)));
      const oldest = Math.min(Date.now(), ...times.filter((time) => time !== undefined));
      return { ...lag, oldestSeconds: (Date.now() - oldest) / 1000 };
    }),
  );
}

/** When the first message of this subject at or after this position was stored, in ms since 1970; undefined if there is none. */
async function timeOfNext(nats: Nats, subject: string, seq: number): Promise<number | undefined> {
  const { jsm } = await nats.connected();
  // The server accepts this combination since 2.9; the client's type lacks it.
  const query = { seq, next_by_subj: subject } as MsgRequest;
  return (await jsm.streams.getMessage(nats.stream, query))?.time.getTime();
}
