/**
 * Lists and replays the dead letters of a service: `dead-letters list <service>`, `dead-letters replay <service> <id | all>`.
 * Reads <NAME>_DATABASE_URL, NATS_URL, NATS_STREAM and EVENTS_PREFIX as the service does.
 */
import { serviceNames, type ServiceName } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { listDeadLetters, Nats, replayDeadLetters } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { requiredVariable, runCommand } from './command-line';

const usage = `usage: dead-letters list <service>\n       dead-letters replay <service> <id | all>\nservices: ${serviceNames.join(', ')}`;

async function main([command, service, id]: string[]): Promise<void> {
  const isService = serviceNames.includes(service as ServiceName);
  if (!isService || !(command === 'list' || (command === 'replay' && id))) throw new Error(usage);
  const db = new Database({
    url: requiredVariable(`${service!.toUpperCase()}_DATABASE_URL`),
    max: 2,
    applicationName: 'tandem-dead-letters',
  });
  try {
    if (command === 'list') await list(db);
    else await replay(db, service!, id === 'all' ? undefined : id);
  } finally {
    await db.close();
  }
}

async function list(db: Database): Promise<void> {
  const letters = await listDeadLetters(db);
  for (const { id, created_at, consumer, attempts, error } of letters) {
    console.log(`${id}  ${created_at}  ${consumer}  after ${attempts} attempts: ${error.split('\n')[0]}`);
  }
  console.log(`${letters.length} waiting`);
}

async function replay(db: Database, service: string, id: string | undefined): Promise<void> {
  const options = {
    NATS_URL: requiredVariable('NATS_URL'),
    NATS_STREAM: process.env.NATS_STREAM ?? 'TANDEM',
    EVENTS_PREFIX: process.env.EVENTS_PREFIX ?? 'events',
  };
  const nats = new Nats(options, `${service}-replay`, createLogger('dead-letters', 'warn'));
  try {
    console.log(`${await replayDeadLetters(db, nats, id)} replayed`);
  } finally {
    await nats.close();
  }
}

runCommand(main);
