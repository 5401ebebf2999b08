import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const run = (command: string, args: string[], input?: string) =>
  spawnSync(command, args, {
    cwd: root,
    input,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false' },
  });

const other = ['../auth/auth.api', '../../features/auth/auth.api'];
/** Each sample's file and code. One linter process checks all of them, because most of its time is startup. */
const samples = {
  'a service imports another service': { file: 'services/tickets/src/main.ts', code: `import '@tandem/identity/src/schema';\n` },
  'a browser imports values of the zod contracts': {
    file: 'web/src/main.tsx',
    code: `import { createTicket } from '@tandem/contracts';\nexport const path = createTicket.path;\n`,
  },
  'a service opens its own database connection': {
    file: 'services/tickets/src/main.ts',
    code: `import { Pool } from 'pg';\nexport const pool = new Pool();\n`,
  },
  'the comparison of ticket and task reads a database': {
    file: 'services/integrations/src/merge/merge.ts',
    code: `import { sql } from 'kysely';\nexport const now = sql\`now()\`;\n`,
  },
  'a feature imports another feature': {
    file: 'web/src/features/settings/SettingsPage.tsx',
    code: [
      ...other.map((address, n) => `import '${address}';\nexport const load${n} = () => import('${address}');`),
      `import '../../lib/names';\nimport './settings.api';\nexport const load = () => import('../../app/api');\n`,
    ].join('\n'),
  },
  'a screen shows a word that reads as translated': {
    file: 'web/src/app/NotFoundPage.tsx',
    code: [
      `export const Page = ({ name }: { name: string }) => <p title="Sent by itself">Nobody sent \${name} a mail</p>;`,
      'export const title = (name: string) => `${name} answers at once`;',
      `// eslint-disable-next-line plain-words/visible-text -- docs/product-rules.md quotes it\nexport const allowed = 'It stands here';`,
      `export const field = 'mail';\nexport const fine = 'Automatically sent by email';\n`,
    ].join('\n'),
  },
};

/** Runs in a separate process, because ESLint and its plugins are ES modules. Each sample is linted as if it were the named file. */
const linter = `
  import { ESLint } from 'eslint';
  import { text } from 'node:stream/consumers';
  const samples = JSON.parse(await text(process.stdin));
  const eslint = new ESLint();
  const found = {};
  for (const [what, { file, code }] of Object.entries(samples)) {
    const [result] = await eslint.lintText(code, { filePath: file });
    found[what] = result.messages.map(({ ruleId }) => ruleId);
  }
  console.log(JSON.stringify(found));
`;

describe('the lint rules', () => {
  let rules: Record<keyof typeof samples, string[]>;
  beforeAll(() => {
    // Without a project graph the boundary rule silently checks nothing and exits 0.
    run(join(root, 'node_modules/.bin/nx'), ['show', 'projects']);
    const { stdout, stderr } = run(process.execPath, ['--input-type=module', '--eval', linter], JSON.stringify(samples));
    if (!stdout) throw new Error(stderr);
    rules = JSON.parse(stdout) as typeof rules;
  }, 120_000);

  it('reject a service that imports another service', () =>
    expect(rules['a service imports another service']).toContain('@nx/enforce-module-boundaries'));

  it('reject a browser file that imports values of the zod contracts', () =>
    expect(rules['a browser imports values of the zod contracts']).toContain('@typescript-eslint/no-restricted-imports'));

  it('reject a service that opens its own database connection', () =>
    expect(rules['a service opens its own database connection']).toContain('no-restricted-imports'));

  it('reject a database in the comparison of ticket and task', () =>
    expect(rules['the comparison of ticket and task reads a database']).toContain('@typescript-eslint/no-restricted-imports'));

  it('reject static and dynamic imports of another feature, but not of shared code', () =>
    expect(rules['a feature imports another feature']).toEqual([
      'no-restricted-imports',
      'no-restricted-syntax',
      'no-restricted-imports',
      'no-restricted-syntax',
    ]));

  it('reject words in visible texts that read as translated, unless a comment gives the reason', () =>
    expect(rules['a screen shows a word that reads as translated']).toEqual(Array(4).fill('plain-words/visible-text')));

  it('reject code that is wrong by its types', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tandem-lint-'));
    try {
      writeFileSync(
        join(directory, 'tsconfig.json'),
        JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions: { types: [] } }),
      );
      writeFileSync(
        join(directory, 'sample.ts'),
        `const work = async () => {};
        export function act(kind: 'a' | 'b', given: any): string {
          work();
          [1].forEach(async () => { await work(); });
          switch (kind) { case 'a': return 'A'; }
          const name: string = given;
          return name;
        }`,
      );
      const { stdout } = run(join(root, 'node_modules/.bin/oxlint'), [
        ...['--type-aware', '--format', 'json', '--config', join(root, '.oxlintrc.json')],
        directory,
      ]);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
      expect(new Set(diagnostics.map(({ code }) => code))).toEqual(
        new Set(
          ['no-floating-promises', 'no-misused-promises', 'switch-exhaustiveness-check', 'no-unsafe-assignment'].map(
            (rule) => `typescript(${rule})`,
          ),
        ),
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
