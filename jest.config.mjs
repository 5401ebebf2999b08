import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Projects: `unit` (no I/O), `web` (pages in jsdom), `int` and `e2e` (real PostgreSQL, NATS, Redis and a mail catcher, started only if such
 * a test is part of the run), `chaos` (starts and kills its own servers). `jest --selectProjects unit web` runs the fast ones.
 */

const root = import.meta.dirname;

/** Names of the packages in a node_modules folder that are ES modules, which Jest's module system cannot load without compiling. */
function esmPackages(folder, scope = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    // Symbolic links are our own workspaces, whose sources are compiled anyway.
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) return esmPackages(path, `${entry.name}/`);
    const manifest = join(path, 'package.json');
    const esm = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    return [...(esm ? [scope + entry.name] : []), ...esmPackages(join(path, 'node_modules'))];
  });
}

// Generated, because a handwritten list would become outdated. Packages match by name at any depth: compiling CommonJS too is harmless.
const groups = ['libs', 'services'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
const workspaces = ['.', 'web', 'gateway', 'deploy', 'deploy/sandbox', ...groups];
const names = [...new Set(workspaces.flatMap((folder) => esmPackages(join(root, folder, 'node_modules'))))]
  .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  .join('|');

const options = (jsc) => ({
  swcrc: false,
  // Without inline source maps, stack traces have wrong line numbers.
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: { target: 'es2024', ...jsc },
});
const typescript = (tsx) =>
  options({
    parser: { syntax: 'typescript', decorators: true, tsx },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
  });

/**
 * Jest keeps compiled modules per id, which differs by project. `npm test` runs one project at a time and gives all the same, so that each
 * module is compiled once and not once per project. Projects that run together need their own.
 */
const oneProject = process.env.ONE_JEST_PROJECT ? { id: root.replaceAll(/\W+/g, '-') } : {};

const common = {
  ...oneProject,
  rootDir: root,
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.local/', '<rootDir>/\\.nx/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '\\.ts$': ['@swc/jest', typescript(false)],
    '\\.tsx$': ['@swc/jest', typescript(true)],
    '\\.m?js$': ['@swc/jest', { ...options({ parser: { syntax: 'ecmascript' } }), isModule: 'unknown' }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${names})/)(?!.*\\.mjs$)`],
  moduleNameMapper: {
    '^@tandem/contracts/endpoints$': '<rootDir>/libs/contracts/src/endpoints.ts',
    '^@tandem/contracts/values$': '<rootDir>/libs/contracts/src/values/index.ts',
    '^@tandem/platform/dns$': '<rootDir>/libs/platform/src/dns.ts',
    '^@tandem/(contracts|db|messaging|platform|testing)$': '<rootDir>/libs/$1/src/index.ts',
    '^@tandem/languages$': '<rootDir>/libs/languages/src/index.ts',
    '^@tandem/languages/(runtime|compile|staff|tags)$': '<rootDir>/libs/languages/src/$1.ts',
    '^@tandem/languages/catalogs/(.*)$': '<rootDir>/libs/languages/catalogs/$1',
    '^@tandem/sdk$': '<rootDir>/libs/sdk/src/index.ts',
    '^@tandem/sandbox$': '<rootDir>/deploy/sandbox/src/index.ts',
    // Built, the thread is a bundle next to main.js; tests compile its source.
    '/parser-thread-file$': '<rootDir>/services/tickets/test/parser-thread-file.cjs',
  },
};

/** Modules and global object are shared by the test files that a worker runs. */
const shared = {
  runtime: '<rootDir>/libs/testing/jest/shared-runtime.cjs',
  testEnvironment: '<rootDir>/libs/testing/jest/shared-environment.cjs',
};

const servers = {
  ...shared,
  globalSetup: '<rootDir>/libs/testing/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/jest/global-teardown.mjs',
  testEnvironment: '<rootDir>/libs/testing/jest/server-environment.cjs',
};

const webSetup = join(root, 'web/src/testing/setup.ts');

export default {
  // Two cores are enough, and the servers need some of their time.
  maxWorkers: 2,
  // Test files leave modules in memory, and near Node's memory limit a worker spends its time on garbage collection. A restart takes 1 s.
  workerIdleMemoryLimit: '1500MB',
  // On a busy machine a worker with many modules takes longer to exit than Jest's default of half a second, and would be killed.
  workerGracefulExitTimeout: 20_000,
  // One limit for all projects, because Jest ignores it per project. Time-critical code is measured by benchmarks instead.
  testTimeout: 120_000,
  projects: [
    {
      ...common,
      ...shared,
      displayName: 'unit',
      roots: ['libs', 'services', 'gateway', 'deploy'].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.(int|e2e|chaos)\\.spec\\.ts$'],
    },
    {
      ...common,
      displayName: 'web',
      runtime: shared.runtime,
      testEnvironment: '<rootDir>/libs/testing/jest/shared-browser-environment.cjs',
      // MSW's Node build is not exported to browsers; the other packages have one build for both.
      testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
      roots: ['<rootDir>/web'],
      testMatch: ['<rootDir>/web/{src,widget}/**/*.test.{ts,tsx}'],
      moduleNameMapper: {
        ...common.moduleNameMapper,
        '\\.(css|svg|png|jpg|webp|woff2)$': '<rootDir>/libs/testing/jest/asset.cjs',
        '^(.+\\.md)\\?raw$': '$1',
      },
      transform: {
        ...common.transform,
        '\\.md$': '<rootDir>/libs/testing/jest/raw-text.cjs',
        'languages/catalogs/.+\\.json$': '<rootDir>/libs/testing/jest/catalog.cjs',
      },
      setupFilesAfterEnv: ['@testing-library/jest-dom', ...(existsSync(webSetup) ? [webSetup] : [])],
    },
    {
      ...common,
      ...servers,
      displayName: 'int',
      roots: ['libs', 'services', 'gateway', 'deploy'].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.int.spec.ts'],
    },
    {
      ...common,
      ...servers,
      displayName: 'e2e',
      roots: ['<rootDir>/gateway'],
      testMatch: ['<rootDir>/gateway/e2e/**/*.e2e.spec.ts'],
    },
    {
      ...common,
      displayName: 'chaos',
      testEnvironment: 'node',
      roots: ['<rootDir>/deploy'],
      testMatch: ['<rootDir>/deploy/chaos/**/*.chaos.spec.ts'],
    },
  ],
};
