import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..');
const run = (command: string, args: string[], input?: string) =>
  spawnSync(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    input,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false' },
  });

/** The messages of the linter for `code`, as if it stood in `file`. */
function lint(file: string, code: string): string[] {
  const { stdout, stderr } = run('eslint', ['--stdin', '--stdin-filename', file, '--format', 'json'], code);
  if (!stdout) throw new Error(stderr);
  const [result] = JSON.parse(stdout) as [{ messages: { ruleId: string }[] }];
  return result.messages.map((message) => message.ruleId);
}

describe('the import rules', () => {
  // Without a project graph the boundary rule skips itself silently and exits 0.
  beforeAll(() => void run('nx', ['show', 'projects']));

  it('are alive: a service that imports another service is refused', () => {
    expect(lint('services/tickets/src/main.ts', `import '@tandem/identity/src/schema';\n`)).toContain('@nx/enforce-module-boundaries');
  }, 60_000);

  it('are alive: a browser that imports values of the zod contracts is refused', () => {
    const code = `import { createTicket } from '@tandem/contracts';\nexport const path = createTicket.path;\n`;
    expect(lint('web/src/main.tsx', code)).toContain('@typescript-eslint/no-restricted-imports');
  }, 60_000);

  it('are alive: a service that opens its own database connection is refused', () => {
    expect(lint('services/tickets/src/main.ts', `import { Pool } from 'pg';\nexport const pool = new Pool();\n`)).toContain(
      'no-restricted-imports',
    );
  }, 60_000);

  it('are alive: a feature that imports another feature is refused, by whichever road; what stands under both is not', () => {
    const other = ['../auth/auth.api', '../../features/auth/auth.api'];
    const refused = other.map((address, n) => `import '${address}';\nexport const load${n} = () => import('${address}');`);
    const allowed = `import '../../lib/names';\nimport './settings.api';\nexport const load = () => import('../../app/api');\n`;
    expect(lint('web/src/features/settings/SettingsPage.tsx', [...refused, allowed].join('\n'))).toEqual([
      ...['no-restricted-imports', 'no-restricted-syntax'],
      ...['no-restricted-imports', 'no-restricted-syntax'],
    ]);
  }, 60_000);
});
