import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Projects: `unit` (no I/O), `web` (pages in jsdom), `int` and `e2e` (real PostgreSQL, NATS, Redis and a mail catcher, started only when such
 * a test is part of the run), `chaos` (starts and kills servers of its own). `jest --selectProjects unit web` is the quick half.
 */

const root = import.meta.dirname;

/** Names of the packages below a node_modules folder that are written as ES modules, which Jest's own module system cannot load. */
function esmPackages(folder, scope = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    // Links are our own workspaces: source, compiled anyway.
    if (!entry.isDirectory() || entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.name.startsWith('@')) return esmPackages(path, `${entry.name}/`);
    const manifest = join(path, 'package.json');
    const esm = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    return [...(esm ? [scope + entry.name] : []), ...esmPackages(join(path, 'node_modules'))];
  });
}

// A list written by hand would rot with every update. A package counts by name, wherever it is nested: compiling CommonJS does no harm.
const groups = ['libs', 'services'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)));
const workspaces = ['.', 'web', 'gateway', 'deploy', 'deploy/sandbox', ...groups];
const names = [...new Set(workspaces.flatMap((folder) => esmPackages(join(root, folder, 'node_modules'))))]
  .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  .join('|');

const options = (jsc) => ({
  swcrc: false,
  // Without them, or with separate files, the lines of a stack trace lie.
  sourceMaps: 'inline',
  module: { type: 'commonjs' },
  jsc: { target: 'es2024', ...jsc },
});
const typescript = (tsx) =>
  options({
    parser: { syntax: 'typescript', decorators: true, tsx },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
  });

const common = {
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
    '^@tandem/contracts/values$': '<rootDir>/libs/contracts/src/values/index.ts',
    '^@tandem/(contracts|db|messaging|platform|testing)$': '<rootDir>/libs/$1/src/index.ts',
    '^@tandem/sandbox$': '<rootDir>/deploy/sandbox/src/index.ts',
  },
};

const servers = {
  globalSetup: '<rootDir>/libs/testing/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/jest/global-teardown.mjs',
  testEnvironment: '<rootDir>/libs/testing/jest/server-environment.cjs',
};

const webSetup = join(root, 'web/src/testing/setup.ts');

export default {
  // Two cores do, and the servers want a share of them.
  maxWorkers: 2,
  // Each test file leaves modules behind: near Node's limit a worker does little but look for waste. A new one costs a second.
  workerIdleMemoryLimit: '1500MB',
  // One for all: Jest takes it from no project. Whatever must be quicker than this is measured, not timed out.
  testTimeout: 120_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testEnvironment: 'node',
      roots: ['libs', 'services', 'gateway', 'deploy'].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.(int|e2e|chaos)\\.spec\\.ts$'],
    },
    {
      ...common,
      displayName: 'web',
      testEnvironment: '<rootDir>/libs/testing/jest/browser-environment.cjs',
      // MSW's Node half is not exported to browsers; the other packages have one build for both.
      testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
      roots: ['<rootDir>/web'],
      testMatch: ['<rootDir>/web/{src,widget}/**/*.test.{ts,tsx}'],
      moduleNameMapper: { ...common.moduleNameMapper, '\\.(css|svg|png|jpg|webp|woff2)$': '<rootDir>/libs/testing/jest/asset.cjs' },
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
