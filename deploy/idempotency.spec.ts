import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@tandem/contracts';

const root = join(__dirname, '..');
const sources = globSync('services/*/src/**/*.service.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
/** The source of an operation's handler: from its decorator to the end of the method. */
const handlerOf = (name: string) =>
  sources
    .map((source) => source.split(`@Handles(${name})`)[1])
    .find(Boolean)
    ?.split('\n  }\n')[0];

const idempotent = Object.entries(contracts).flatMap(([name, value]) =>
  (contracts.allOperations as readonly unknown[]).includes(value) && (value as contracts.Operation).idempotent ? [name] : [],
);

it('covers the idempotent operations', () => {
  expect(idempotent).toEqual(expect.arrayContaining(['createTicket', 'addComment', 'replayWebhooks']));
});

// Without it, a repeat after the death of a process would do committed work again.
it.each(idempotent)('the handler of %s stores its response in its transaction', (name) => {
  expect(handlerOf(name)).toContain('storeResponse(tx, ');
});
