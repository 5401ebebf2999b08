import { randomBytes } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { reason } from './reason.ts';

/** Root of the clone. */
export const repository = join(import.meta.dirname, '..', '..');

/** The clone's ignored `.local/`; for a read-only clone the user's state directory, and if that is not writable one under /var/tmp. */
export function localDirectory(): string {
  const id = repository.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  const state = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const errors: string[] = [];
  for (const directory of [
    join(repository, '.local'),
    join(state, 'tandem', id),
    join('/var/tmp', `tandem-${process.getuid?.() ?? 0}-${id}`),
  ]) {
    try {
      mkdirSync(directory, { recursive: true });
      rmdirSync(mkdirUnique(directory)); // proves that the directory is writable
      return directory;
    } catch (error) {
      errors.push(reason(error));
    }
  }
  throw new Error(`no writable directory for data:\n${errors.join('\n')}`);
}

function mkdirUnique(directory: string): string {
  const name = join(directory, `.try-${process.pid}-${randomBytes(4).toString('hex')}`);
  mkdirSync(name);
  return name;
}
