/**
 * The durable consumers on the stream, compared with those that the code names: `consumers list`, `consumers remove <name | unknown>`.
 * Reads NATS_URL, NATS_STREAM and EVENTS_PREFIX as the services do.
 */
import { listDurables, Nats, removeDurable } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { consumerNames } from './consumer-names';
import { runCommand } from './command-line';

const usage = 'usage: consumers list\n       consumers remove <name | unknown>';

async function main([command, name]: string[]): Promise<void> {
  if (command !== 'list' && !(command === 'remove' && name)) throw new Error(usage);
  const url = process.env.NATS_URL;
  if (!url) throw new Error('NATS_URL is not set');
  const options = {
    NATS_URL: url,
    NATS_STREAM: process.env.NATS_STREAM ?? 'TANDEM',
    EVENTS_PREFIX: process.env.EVENTS_PREFIX ?? 'events',
  };
  const nats = new Nats(options, 'consumers-command', createLogger('consumers', 'warn'));
  try {
    if (command === 'list') await list(nats);
    else await remove(nats, name!);
  } finally {
    await nats.close();
  }
}

async function list(nats: Nats): Promise<void> {
  const durables = await listDurables(nats);
  for (const { name, pending } of durables) {
    const note = consumerNames.includes(name) ? '' : '  not named by this version';
    console.log(`${name}  ${pending} pending${note}`);
  }
  const missing = consumerNames.filter((name) => !durables.some((durable) => durable.name === name));
  for (const name of missing) console.log(`${name}  not on the stream: its service has not run yet`);
}

async function remove(nats: Nats, name: string): Promise<void> {
  const unknown = (await listDurables(nats)).map((durable) => durable.name).filter((durable) => !consumerNames.includes(durable));
  if (name !== 'unknown' && consumerNames.includes(name)) {
    throw new Error(`${name} is named by this version: its events would be lost. Remove only durables that 'consumers list' marks.`);
  }
  const names = name === 'unknown' ? unknown : [name];
  for (const each of names) console.log((await removeDurable(nats, each)) ? `${each} removed` : `${each} is not on the stream`);
  if (names.length === 0) console.log('Every durable on the stream is named by this version');
}

runCommand(main);
