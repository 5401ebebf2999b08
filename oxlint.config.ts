import { defineConfig } from 'oxlint';

/** Allowed dependencies between layers (docs/architecture.md). Only the rules listed in this file are enforced. */
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

/** A kit's tests need the real servers that `testing` provides, and `testing` depends on the kits: the only allowed cycle, in tests only. */
const testedByTesting = ['contracts', 'db', 'messaging', 'platform'].map((kit) => [`@tandem/${kit}`, '@tandem/testing']);

const boundaries = (depConstraints: { sourceTag: string; onlyDependOnLibsWithTags: string[] }[]) => [
  'error',
  // The changelog is part of no package.
  {
    enforceBuildableLibDependency: false,
    allow: ['CHANGELOG\\.md\\?raw$'],
    depConstraints,
    ignoredCircularDependencies: testedByTesting,
  },
];

interface Pattern {
  message: string;
  group?: string[];
  regex?: string;
  allowTypeImports?: boolean;
}
/** The last entry that matches a file replaces the others, so each lists all patterns of its files. */
const noImports = (...patterns: Pattern[]) => ({ 'no-restricted-imports': ['error', { patterns }] });

const ownedByLibraries: Pattern = {
  group: ['pg', '@nats-io/*', 'bullmq', 'ioredis'],
  message: 'Use @tandem/db and @tandem/messaging instead.',
};
const indexOfUndici: Pattern = {
  regex: '^undici$',
  message: 'Its index is slow to load: use Agent and Pool of @tandem/platform.',
  allowTypeImports: true,
};
const ioInMerge: Pattern = {
  group: ['kysely', '@tandem/db', '@tandem/messaging', '@nestjs/*', 'node:*', '../engine/*', '../pull/*', '../push/*', '../tool/*'],
  message: 'merge is pure: it compares states and returns decisions, without a database or calls.',
  allowTypeImports: true,
};
/** For web's code, not for its tests. */
const serverValues: Pattern[] = [
  {
    regex: '^@tandem/contracts$',
    message: 'Types only: values come from @tandem/contracts/values, calls from @tandem/contracts/endpoints.',
    allowTypeImports: true,
  },
  { group: ['zod', 'zod/*'], message: 'zod stays on the server: it costs 93 KB gzip.' },
];
const higherLayers: Pattern = { group: ['**/features/**', '**/app/**'], message: 'ui and lib do not import from features and app.' };

/** From a file of a feature, `../auth/…` and `../../features/auth/…` are other features; `../../ui/…` is not. */
const otherFeature: Pattern = {
  regex: String.raw`^\.\./(\.?[^.])|/features/`,
  message: 'Features do not import each other. Code that two features need belongs in ui, lib or app; app combines their pages.',
};
/** The same for a file in a folder of a feature, where `../…` is still the same feature. */
const otherFeatureFromFolder: Pattern = { ...otherFeature, regex: String.raw`^\.\./\.\./(\.?[^.])|/features/` };

const tests = ['**/*.spec.ts', '**/*.test.ts', '**/*.test.tsx'];
const webTests = ['**/*.test.ts', '**/*.test.tsx', 'web/src/testing/**'];

export default defineConfig({
  plugins: ['typescript', 'react'],
  jsPlugins: ['@nx/eslint-plugin', './oxlint.plain-words.mjs', './oxlint.staff-texts.mjs'],
  categories: { correctness: 'off' },
  ignorePatterns: ['**/dist/**', '**/*.js', '**/*.cjs', '**/*.mjs', 'web/public/**'],
  rules: {
    '@nx/enforce-module-boundaries': boundaries(layers),
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-console': 'error',
    'no-duplicate-imports': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'no-array-constructor': 'error',
    'no-unused-expressions': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' }],

    'typescript/ban-ts-comment': 'error',
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-empty-object-type': ['error', { allowObjectTypes: 'always' }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/triple-slash-reference': 'error',

    // Rules that need types.
    'typescript/await-thenable': 'error',
    'typescript/no-array-delete': 'error',
    'typescript/no-base-to-string': 'error',
    'typescript/no-duplicate-type-constituents': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-for-in-array': 'error',
    'typescript/no-implied-eval': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-redundant-type-constituents': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-enum-comparison': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-unary-minus': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/unbound-method': 'error',
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    {
      // Nest injects by a type's runtime value: with `import type`, injecting a class fails at startup, so Nest code imports types as values.
      files: ['web/**/*.ts', 'web/**/*.tsx', 'libs/contracts/**/*.ts'],
      rules: { 'typescript/consistent-type-imports': 'error' },
    },
    {
      files: ['libs/contracts/src/**/*.ts'],
      excludeFiles: tests,
      rules: noImports({
        group: ['@nestjs/*', 'kysely', 'pg', '@nats-io/*', 'react', 'node:*'],
        message: 'Contracts depend on zod only.',
      }),
    },
    {
      files: ['libs/contracts/src/values/**/*.ts'],
      rules: noImports({ group: ['zod', '../*'], message: 'Browsers load these values: no zod.' }),
    },
    { files: ['libs/{messaging,platform}/src/**/*.ts'], excludeFiles: tests, rules: noImports(indexOfUndici) },
    { files: ['services/*/src/**/*.ts'], excludeFiles: tests, rules: noImports(ownedByLibraries, indexOfUndici) },
    {
      files: ['services/integrations/src/merge/**/*.ts'],
      excludeFiles: tests,
      rules: noImports(ownedByLibraries, indexOfUndici, ioInMerge),
    },
    {
      files: ['gateway/src/**/*.ts'],
      excludeFiles: tests,
      rules: noImports(
        { group: ['kysely', 'pg', 'bullmq', '@tandem/db'], message: 'The gateway has no database and no jobs.' },
        indexOfUndici,
      ),
    },
    // Layers inside web: app → features → ui, lib. Applies to tests of features too: their shared helpers belong in web/src/testing.
    { files: ['web/src/features/**/*.{ts,tsx}'], rules: noImports(otherFeature) },
    { files: ['web/src/features/*/*/**/*.{ts,tsx}'], rules: noImports(otherFeatureFromFolder) },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      excludeFiles: [...webTests, 'web/src/{features,ui,lib}/**'],
      rules: noImports(...serverValues),
    },
    { files: ['web/src/{ui,lib}/**/*.{ts,tsx}'], excludeFiles: webTests, rules: noImports(...serverValues, higherLayers) },
    { files: ['web/src/features/**/*.{ts,tsx}'], excludeFiles: webTests, rules: noImports(...serverValues, otherFeature) },
    {
      files: ['web/src/features/*/*/**/*.{ts,tsx}'],
      excludeFiles: webTests,
      rules: noImports(...serverValues, otherFeatureFromFolder),
    },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      excludeFiles: webTests,
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/static-components': 'error',
        'react/use-memo': 'error',
        'react/preserve-manual-memoization': 'error',
        'react/incompatible-library': 'error',
        'react/immutability': 'error',
        'react/globals': 'error',
        'react/refs': 'error',
        'react/set-state-in-effect': 'error',
        'react/error-boundaries': 'error',
        'react/purity': 'error',
        'react/set-state-in-render': 'error',
        'react/unsupported-syntax': 'error',
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      },
    },
    {
      files: ['web/src/**/*.{ts,tsx}'],
      excludeFiles: [...webTests, 'web/src/features/**/testing.ts'],
      rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
    },
    {
      files: [
        'web/src/**/*.{ts,tsx}',
        'libs/contracts/src/**/*.ts',
        'gateway/src/mcp/*.ts',
        'services/notifications/src/email/templates/*.ts',
      ],
      // endpoints.ts is generated, and its texts are paths.
      excludeFiles: [...tests, '**/testing.ts', 'web/src/testing/**', 'libs/contracts/src/endpoints.ts'],
      rules: { 'plain-words/visible-text': 'error' },
    },
    {
      files: ['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'gateway/src/**/*.ts'],
      excludeFiles: tests,
      rules: { 'plain-words/log-message': 'error' },
    },
    {
      // The staff app, whose texts are in the catalog.
      files: ['web/src/{app,features,lib,ui}/**/*.{ts,tsx}'],
      excludeFiles: [
        ...webTests,
        '**/testing.ts',
        // Long prose, and the pages of customers, which have their own catalogs.
        'web/src/features/{docs,landing,portal}/**',
        // The English texts that customer pages replace.
        'web/src/lib/ui-texts.ts',
        // Code to copy.
        'web/src/lib/{verification,widget}-snippet{,s}.ts',
      ],
      rules: { 'staff-texts/inline': 'error', 'staff-texts/plural': 'error' },
    },
    {
      // These tests run all services in one process: the only place where services meet.
      files: ['gateway/e2e/**/*.ts'],
      rules: { '@nx/enforce-module-boundaries': boundaries([{ sourceTag: '*', onlyDependOnLibsWithTags: ['*'] }]) },
    },
    {
      files: [...tests, '**/e2e/**/*.ts', 'deploy/**/*.ts', 'libs/testing/**/*.ts'],
      rules: {
        'no-console': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/unbound-method': 'off',
      },
    },
  ],
});
