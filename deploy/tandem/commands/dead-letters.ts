import { Id, type ServiceName } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { discardDeadLetter, listDeadLetters, Nats, replayDeadLetters } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { parseArgs } from 'node:util';
import { Refused, required, services, streamOptions } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = `tandem dead-letters list [<service>]
tandem dead-letters replay <service> <id | all>
tandem dead-letters discard <service> <id>`;

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [action, service, id, ...rest] = positionals;
    const known = services.find((name) => name === service);
    const isUnknown = (service !== undefined && !known) || rest.length > 0;
    if (action === 'list' && !isUnknown && id === undefined) await list(known ? [known] : services);
    else if (action === 'replay' && known && !isUnknown && isIdOr('all', id)) await replay(known, id === 'all' ? undefined : id);
    else if (action === 'discard' && known && !isUnknown && isIdOr(undefined, id)) await discard(known, id!);
    else throw new Refused(`usage:\n${usage}`);
    return 0;
  },
};
export default command;

const isIdOr = (word: string | undefined, id: string | undefined): boolean => id !== undefined && (id === word || Id.safeParse(id).success);

async function list(names: readonly ServiceName[]): Promise<void> {
  for (const name of names) {
    const letters = await withDatabase(name, (db) => listDeadLetters(db));
    for (const { id, created_at, consumer, attempts, error } of letters)
      console.log(`${name}  ${id}  ${created_at}  ${consumer}  after ${attempts} attempts: ${error.split('\n')[0]}`);
    console.log(`${name}: ${letters.length} waiting`);
  }
}

async function replay(service: ServiceName, id: string | undefined): Promise<void> {
  const nats = new Nats(streamOptions(), `${service}-replay`, createLogger('dead-letters', 'warn'));
  try {
    const { replayed, tooLarge } = await withDatabase(service, (db) => replayDeadLetters(db, nats, id));
    console.log(`${replayed} replayed`);
    if (tooLarge > 0) throw new Refused(`${tooLarge} still larger than NATS accepts: raise its max_payload, then repeat the command.`);
    if (id !== undefined && replayed === 0) throw new Refused(`${service} has no dead letter ${id} that can be replayed.`);
  } finally {
    await nats.close();
  }
}

/** Prints the event, because its effect is lost and an operator may have to apply it manually. */
async function discard(service: ServiceName, id: string): Promise<void> {
  const letter = await withDatabase(service, (db) => discardDeadLetter(db, id));
  if (!letter) throw new Refused(`${service} has no dead letter ${id}.`);
  console.log(JSON.stringify(letter, null, 2));
}

async function withDatabase<T>(service: ServiceName, work: (db: Database) => Promise<T>): Promise<T> {
  const db = new Database({ url: required(`${service.toUpperCase()}_DATABASE_URL`), max: 2, applicationName: 'tandem-command' });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
