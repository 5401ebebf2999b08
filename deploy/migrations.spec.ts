import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOnline, lockingStatements, onlineStatements } from '@tandem/db';

const root = join(__dirname, '..');
const folders = ['libs/db/migrations', ...readdirSync(join(root, 'services')).map((service) => `services/${service}/migrations`)].filter(
  (folder) => existsSync(join(root, folder)),
);

/** The names that follow keywords such as `create table`. Comments are ignored. */
const namesAfter = (sql: string, beginning: RegExp): string[] =>
  [...sql.replace(/--.*$/gm, '').matchAll(new RegExp(`${beginning.source}\\s+(\\w+)`, 'gi'))].map((match) => match[1]!);

const textOf = (folder: string): string =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
    .join('\n');

describe.each(folders)('migrations in %s', (folder) => {
  it('describe every table with a comment', () => {
    const tables = namesAfter(textOf(folder), /create table/);
    expect(tables).not.toEqual([]);
    expect(namesAfter(textOf(folder), /comment on table/)).toEqual(expect.arrayContaining(tables));
  });
});

// The platform's functions are an exception: the first table of a service already needs them.
describe.each(folders.filter((folder) => folder.startsWith('services/')))('numbered migrations in %s', (folder) => {
  it('contain no functions and triggers, which belong in repeatable ones', () =>
    expect(namesAfter(textOf(folder), /create (?:or replace )?(?:function|(?:constraint )?trigger)/)).toEqual([]));
});

/** The latest migration of each folder from before large installations existed. They build indexes in transactions. */
const lastLocking: Record<string, number> = {
  'libs/db/migrations': 4,
  'services/analytics/migrations': 6,
  'services/identity/migrations': 7,
  'services/integrations/migrations': 1,
  'services/notifications/migrations': 10,
  'services/tickets/migrations': 15,
};

describe.each(folders)('later migrations in %s', (folder) => {
  it('lock no existing table while all of its rows are read: they are online, or add constraints as not valid', () => {
    const files = readdirSync(join(root, folder)).filter((name) => Number(/^\d{4}(?=_.*\.sql$)/.exec(name)?.[0]) > lastLocking[folder]!);
    for (const name of files) {
      const sql = readFileSync(join(root, folder, name), 'utf8');
      expect([name, isOnline(sql) ? onlineStatements(sql).length > 0 : lockingStatements(sql)]).toEqual([name, isOnline(sql) || []]);
    }
  });
});
