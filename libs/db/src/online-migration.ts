/**
 * A migration whose first line is `-- online` changes a table while requests use it. It runs outside a transaction, one statement at a time,
 * and may run again after it was interrupted, so only statements that can be repeated are allowed:
 *
 * - `create index concurrently if not exists …` and `drop index concurrently if exists …`
 * - `alter table … validate constraint …`, for a constraint that an earlier migration added as `not valid`
 */
export const isOnline = (sql: string): boolean => /^-- online\s*$/m.exec(sql)?.index === 0;

const allowed = [
  /^create (unique )?index concurrently if not exists \w+ on \w+/i,
  /^drop index concurrently if exists \w+$/i,
  /^alter table \w+ validate constraint \w+$/i,
];

/** The statements of an online migration. Throws for one that is not allowed. */
export function onlineStatements(sql: string): string[] {
  const statements = sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '');
  const wrong = statements.find((statement) => !allowed.some((pattern) => pattern.test(statement)));
  if (wrong !== undefined) throw new Error(`an online migration cannot contain '${wrong.slice(0, 80)}' (libs/db/src/online-migration.ts)`);
  if (statements.length === 0) throw new Error('an online migration needs a statement');
  return statements;
}

/** The index that a statement creates. */
export const indexOf = (statement: string): string | undefined =>
  /^create (?:unique )?index concurrently if not exists (\w+)/i.exec(statement)?.[1]?.toLowerCase();

/** What would lock a large table for as long as it is read or written, in a migration that is not online. */
export function lockingStatements(sql: string): string[] {
  const text = sql.replace(/--.*$/gm, '');
  const created = new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map((match) => match[1]!.toLowerCase()));
  return text
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => {
      const table = /(?:^create (?:unique )?index (?:if not exists )?\w+ on |^alter table )(\w+)/i.exec(statement)?.[1]?.toLowerCase();
      if (table === undefined || created.has(table)) return false;
      if (/^create/i.test(statement)) return true;
      return (
        /\badd (constraint \w+ )?(check|foreign key|unique|primary key|exclude)\b/i.test(statement) && !/\bnot valid$/i.test(statement)
      );
    });
}
