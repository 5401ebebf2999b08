import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '..');
const list = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** The file of each import path of our packages, such as `@tandem/contracts/values`. */
function ownPackages(): Map<string, string> {
  const files = new Map<string, string>();
  for (const manifest of list('package.json', '*/package.json')) {
    const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
      name?: string;
      exports?: Record<string, unknown>;
    };
    for (const [path, file] of Object.entries(exports ?? {}))
      if (typeof file === 'string') files.set(`${name}${path.slice(1)}`, join(dirname(manifest), file));
  }
  return files;
}

/** Imports and re-exports, including those of types, and `import()`. */
const imports = /^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

function importGraph(): Map<string, string[]> {
  const files = new Set(list('*.ts', '*.tsx'));
  const packages = ownPackages();
  const fileOf = (importer: string, path: string) => {
    if (!path.startsWith('.')) return packages.get(path);
    const target = normalize(join(dirname(importer), path));
    return ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => target + end).find((file) => files.has(file));
  };
  return new Map(
    [...files].map((file) => {
      const paths = [...readFileSync(join(root, file), 'utf8').matchAll(imports)].map(([, path, lazyPath]) =>
        fileOf(file, (path ?? lazyPath)!),
      );
      return [file, paths.filter((path) => path !== undefined)];
    }),
  );
}

/** Each cycle that a depth-first search finds, as the path from a file back to itself. */
function cyclesOf(graph: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string) => {
    if (done.has(file)) return;
    const start = path.indexOf(file);
    if (start >= 0) return void cycles.push([...path.slice(start), file].join(' → '));
    path.push(file);
    for (const imported of graph.get(file) ?? []) visit(imported);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}

describe('imports', () => {
  it('contain no cycle, types and import() included', () => {
    const graph = importGraph();
    // The search follows imports between packages, and `import()`; if it did not, it would find few of them.
    expect(graph.get('gateway/src/main.ts')).toContain('libs/platform/src/index.ts');
    expect(graph.get('web/src/app/router.tsx')).toContain('web/src/app/StaffApp.tsx');
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('are reported if they form a cycle', () => {
    expect(
      cyclesOf(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['d']],
          ['c', []],
          ['d', ['a']],
        ]),
      ),
    ).toEqual(['a → b → d → a']);
  });
});
