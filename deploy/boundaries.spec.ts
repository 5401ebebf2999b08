import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');

const other = ['../auth/auth.api', '../../features/auth/auth.api'];
/** Each sample's file and code. */
const samples = {
  'a service imports another service': { file: 'services/tickets/src/main.ts', code: `import '@tandem/identity/src/schema';\n` },
  'a service without imports': { file: 'services/identity/src/schema.ts', code: 'export interface Schema {\n  id: string;\n}\n' },
  'a browser imports values of the zod contracts': {
    file: 'web/src/main.tsx',
    code: `import { createTicket } from '@tandem/contracts';\nexport const path = createTicket.path;\n`,
  },
  'a service opens its own database connection': {
    file: 'services/tickets/src/pool.ts',
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
    file: 'web/src/features/landing/LandingPage.tsx',
    code: [
      `export const Page = ({ name }: { name: string }) => <p title="Sent by itself">Nobody sent \${name} a mail</p>;`,
      'export const title = (name: string) => `${name} answers at once`;',
      `// oxlint-disable-next-line plain-words/visible-text -- docs/product-rules.md quotes it\nexport const allowed = 'It stands here';`,
      `export const field = 'mail';\nexport const fine = 'Automatically sent by email';\n`,
    ].join('\n'),
  },
  'a staff page has texts of its own': {
    file: 'web/src/features/team/Sample.tsx',
    code: [
      "export const Page = ({ count }: { count: number }) => <p title={count > 0 && 'Members'}>Team of {count}</p>;",
      'export const text = (count: number) => `Invite ${count} more people`;',
      "const t = (key: string) => key;\nexport const label = (count: number) => (count === 1 ? t('team.one') : t('team.other'));",
      "export const technical = { type: 'Team', className: 'flex gap-2', sample: <input placeholder=\"ada@example.com\" /> };",
      "export const error = () => new Error('Missing the team of a member');\n",
    ].join('\n'),
  },
  'a component violates the rules of React': {
    file: 'web/src/ui/Sample.tsx',
    code: `import { useEffect, useRef, useState } from 'react';
      export function Sample({ on, name }: { on: boolean; name: string }) {
        const [now, setNow] = useState(0);
        const last = useRef(name);
        if (on) useEffect(() => {}, []);
        useEffect(() => console.log(name), []);
        useEffect(() => setNow(1), [on]);
        return <p>{now + Date.now()} {last.current}</p>;
      }`,
  },
  'code that violates rules that need types': {
    file: 'libs/platform/src/sample.ts',
    code: `const work = async () => {};
      export function act(kind: 'a' | 'b', given: any): string {
        work();
        [1].forEach(async () => { await work(); });
        switch (kind) { case 'a': return 'A'; }
        const name: string = given;
        return name;
      }`,
  },
};

/** A copy of the workspace that contains only its manifests, the rules and the samples: samples among the sources would be linted, too. */
function workspaceOfSamples(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-lint-'));
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const manifests = globSync(
    workspaces.map((each) => join(each, 'package.json')),
    { cwd: root },
  );
  const rules = ['oxlint.config.ts', 'oxlint.plain-words.mjs', 'oxlint.staff-texts.mjs'];
  const shared = ['package.json', 'package-lock.json', 'nx.json', 'tsconfig.base.json', ...rules];
  for (const file of [...shared, ...manifests]) cpSync(join(root, file), join(directory, file), { recursive: true });
  mkdirSync(join(directory, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    // The links in this folder are relative, so those of the copy point to its own workspaces.
    if (name === '@tandem')
      cpSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  }
  for (const { file, code } of Object.values(samples)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), code);
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: { types: [] } }));
  return directory;
}

describe('the lint rules', () => {
  let directory: string;
  let found: { filename: string; code: string }[];
  const rules = (sample: keyof typeof samples) => found.filter(({ filename }) => filename === samples[sample].file).map(({ code }) => code);

  beforeAll(() => {
    directory = workspaceOfSamples();
    const run = (program: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(directory, 'node_modules', program), ...args], {
        cwd: directory,
        encoding: 'utf8',
        env: { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_DATA_DIRECTORY: join(directory, '.nx') },
      });
    // Without a project graph the boundary rule silently checks nothing and exits 0.
    run('nx/dist/bin/nx.js', 'show', 'projects');
    const options = ['--type-aware', '--tsconfig', 'tsconfig.json', '--format', 'json'];
    const { stdout, stderr } = run('oxlint/bin/oxlint', ...options, 'libs', 'services', 'web');
    if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
    found = (JSON.parse(stdout) as { diagnostics: typeof found }).diagnostics;
  }, 120_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('reject a service that imports another service', () =>
    expect(rules('a service imports another service')).toContain('@nx(enforce-module-boundaries)'));

  it('reject a browser file that imports values of the zod contracts', () =>
    expect(rules('a browser imports values of the zod contracts')).toContain('eslint(no-restricted-imports)'));

  it('reject a service that opens its own database connection', () =>
    expect(rules('a service opens its own database connection')).toContain('eslint(no-restricted-imports)'));

  it('reject a database in the comparison of ticket and task', () =>
    expect(rules('the comparison of ticket and task reads a database')).toContain('eslint(no-restricted-imports)'));

  it('reject static and dynamic imports of another feature, but not of shared code', () =>
    expect(rules('a feature imports another feature')).toEqual(Array(4).fill('eslint(no-restricted-imports)')));

  it('reject words in visible texts that read as translated, unless a comment gives the reason', () =>
    expect(rules('a screen shows a word that reads as translated')).toEqual(Array(4).fill('plain-words(visible-text)')));

  it('reject texts of staff pages that are not in the catalog, and plurals in code', () =>
    expect(rules('a staff page has texts of its own')).toEqual([...Array(3).fill('staff-texts(inline)'), 'staff-texts(plural)']));

  it('reject components that violate the rules of React', () =>
    expect(new Set(rules('a component violates the rules of React'))).toEqual(
      new Set([
        'eslint(no-console)',
        ...['rules-of-hooks', 'exhaustive-deps'].map((rule) => `react-hooks(${rule})`),
        ...['purity', 'refs', 'set-state-in-effect'].map((rule) => `react(${rule})`),
      ]),
    ));

  it('reject code that violates rules that need types', () =>
    expect(new Set(rules('code that violates rules that need types'))).toEqual(
      new Set(
        ['no-explicit-any', 'no-floating-promises', 'no-misused-promises', 'switch-exhaustiveness-check', 'no-unsafe-assignment'].map(
          (rule) => `typescript(${rule})`,
        ),
      ),
    ));
});
