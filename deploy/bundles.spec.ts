import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** Whether the bundle of a service, or of all of them, leaves the package outside. */
function isExternal(id: string, importer: string, own?: string): boolean {
  const args = [id, join(root, importer), own === undefined ? [] : [join(root, own)]].map((value) => JSON.stringify(value));
  const script = `import('${root}/rolldown.packages.mjs').then(({ external }) => console.log(external(${args.join(', ')})))`;
  return JSON.parse(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout) as boolean;
}

it.each([
  ['a package that tracing hooks into', 'pg', 'libs/db/src/database.ts', undefined, true],
  ['a module of Node', 'fs', 'libs/db/src/migrate.ts', undefined, true],
  ['a package of many files', 'bullmq', 'libs/messaging/src/index.ts', undefined, false],
  ['a version that only its user finds', 'glob', 'node_modules/@fastify/static/index.js', undefined, false],
  ['a version that only tickets finds, for tickets', 'html-to-text', 'services/tickets/src/mail-in/html.ts', 'services/tickets', true],
  ['a version that only tickets finds, for one process', 'html-to-text', 'services/tickets/src/mail-in/html.ts', undefined, false],
])('%s is outside of the bundle or not', (_, id, importer, own, expected) => {
  expect(isExternal(id, importer, own)).toBe(expected);
});
