import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import plainWords from './eslint.plain-words.mjs';

/** Allowed dependencies between layers (docs/architecture.md). ESLint enforces only the rules listed here; .oxlintrc.json has those that need types. */
const layers = [
  { sourceTag: 'layer:contracts', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:sdk', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:languages', onlyDependOnLibsWithTags: ['layer:contracts'] },
  { sourceTag: 'layer:kit', onlyDependOnLibsWithTags: ['layer:kit', 'layer:contracts', 'layer:testing'] },
  { sourceTag: 'layer:service', onlyDependOnLibsWithTags: ['layer:kit', 'layer:contracts', 'layer:languages', 'layer:testing'] },
  { sourceTag: 'layer:gateway', onlyDependOnLibsWithTags: ['layer:kit', 'layer:contracts', 'layer:languages', 'layer:testing'] },
  { sourceTag: 'layer:web', onlyDependOnLibsWithTags: ['layer:contracts', 'layer:languages'] },
  { sourceTag: 'layer:testing', onlyDependOnLibsWithTags: ['layer:kit', 'layer:contracts', 'layer:sdk'] },
  { sourceTag: 'layer:e2e', onlyDependOnLibsWithTags: ['*'] },
];

const noPackages = (message, patterns) => ({ 'no-restricted-imports': ['error', { patterns: [{ group: patterns, message }] }] });

/** From a file of a feature, `../auth/…` and `../../features/auth/…` are other features; `../../ui/…` is not. */
const otherFeature = String.raw`^\.\.[/](?!\.\.)|[/]features[/]`;
/** The same for a file in a folder of a feature, where `../…` is still the same feature. */
const otherFeatureFromFolder = String.raw`^\.\.[/]\.\.[/](?!\.\.)|[/]features[/]`;
const noFeatureImports =
  'Features do not import each other. Code that two features need belongs in ui, lib or app; app combines their pages.';

/** A kit's tests need the real servers that `testing` provides, and `testing` depends on the kits: the only allowed cycle, in tests only. */
const testedByTesting = ['contracts', 'db', 'messaging', 'platform'].map((kit) => [`@tandem/${kit}`, '@tandem/testing']);

const boundaries = (depConstraints) => [
  'error',
  // The changelog is part of no package.
  {
    enforceBuildableLibDependency: false,
    allow: ['CHANGELOG\\.md\\?raw$'],
    depConstraints,
    ignoredCircularDependencies: testedByTesting,
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.local/**',
      '.nx/**',
      'coverage/**',
      '**/test-results/**',
      '**/playwright-report/**',
      'web/public/**',
    ],
  },
  ...tseslint.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(layers),

      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowObjectTypes: 'always' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    // Nest injects by a type's runtime value: with `import type`, injecting a class fails at startup, so Nest code imports types as values.
    files: ['web/**/*.ts', 'web/**/*.tsx', 'libs/contracts/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'error' },
  },
  {
    files: ['libs/contracts/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: noPackages('Contracts depend on zod only.', ['@nestjs/*', 'kysely', 'pg', '@nats-io/*', 'react', 'node:*']),
  },
  {
    files: ['libs/contracts/src/values/**/*.ts'],
    rules: noPackages('Browsers load these values: no zod.', ['zod', '../*']),
  },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: noPackages('Use @tandem/db and @tandem/messaging instead.', ['pg', '@nats-io/*', 'bullmq', 'ioredis']),
  },
  {
    files: ['services/integrations/src/merge/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                'kysely',
                '@tandem/db',
                '@tandem/messaging',
                '@nestjs/*',
                'node:*',
                '../engine/*',
                '../pull/*',
                '../push/*',
                '../tool/*',
              ],
              message: 'merge is pure: it compares states and returns decisions, without a database or calls.',
              allowTypeImports: true,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['gateway/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: noPackages('The gateway has no database and no jobs.', ['kysely', 'pg', 'bullmq', '@tandem/db']),
  },
  {
    files: ['web/src/**/*.ts', 'web/src/**/*.tsx'],
    ignores: ['**/*.test.ts', '**/*.test.tsx', 'web/src/testing/**'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@tandem/contracts',
              message: 'Types only: values come from @tandem/contracts/values, calls from @tandem/contracts/endpoints.',
              allowTypeImports: true,
            },
          ],
          patterns: [{ group: ['zod', 'zod/*'], message: 'zod stays on the server: it costs 93 KB gzip.' }],
        },
      ],
    },
  },
  {
    files: [
      'web/src/**/*.ts',
      'web/src/**/*.tsx',
      'libs/contracts/src/**/*.ts',
      'gateway/src/mcp/*.ts',
      'services/notifications/src/email/templates/*.ts',
    ],
    // endpoints.ts is generated, and its texts are paths.
    ignores: ['**/*.test.ts', '**/*.test.tsx', '**/*.spec.ts', '**/testing.ts', 'web/src/testing/**', 'libs/contracts/src/endpoints.ts'],
    plugins: { 'plain-words': plainWords },
    rules: { 'plain-words/visible-text': 'error' },
  },
  {
    files: ['web/src/**/*.ts', 'web/src/**/*.tsx'],
    ignores: ['**/*.test.ts', '**/*.test.tsx', 'web/src/testing/**', 'web/src/features/**/testing.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    // Layers inside web: app → features → ui, lib.
    files: ['web/src/ui/**/*', 'web/src/lib/**/*'],
    ignores: ['**/*.test.ts', '**/*.test.tsx'],
    rules: noPackages('ui and lib do not import from features and app.', ['**/features/**', '**/app/**']),
  },
  {
    // Applies to tests too: helpers that several of them need belong in web/src/testing.
    files: ['web/src/features/**/*.ts', 'web/src/features/**/*.tsx'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: otherFeature, message: noFeatureImports }] }],
      'no-restricted-syntax': ['error', { selector: `ImportExpression[source.value=/${otherFeature}/]`, message: noFeatureImports }],
    },
  },
  {
    files: ['web/src/features/*/*/**/*.ts', 'web/src/features/*/*/**/*.tsx'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: otherFeatureFromFolder, message: noFeatureImports }] }],
      'no-restricted-syntax': [
        'error',
        { selector: `ImportExpression[source.value=/${otherFeatureFromFolder}/]`, message: noFeatureImports },
      ],
    },
  },
  {
    // These tests run all services in one process: the only place where services meet.
    files: ['gateway/e2e/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries([{ sourceTag: '*', onlyDependOnLibsWithTags: ['*'] }]) },
  },
  {
    files: ['**/*.spec.ts', '**/*.test.ts', '**/*.test.tsx', '**/e2e/**/*.ts', 'deploy/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      'no-console': 'off',
    },
  },
);
