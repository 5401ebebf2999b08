/** Which packages the bundles contain, and how they are written, for rolldown.config.mjs and deploy/local/rolldown.config.mjs. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const root = import.meta.dirname;

/**
 * Our own packages are bundled from source, together with the compiler's decorator helpers, which are not an installed package, and the
 * packages that every process loads as hundreds of small files: one file takes half the CPU time until a process is ready. Other packages
 * from npm stay external: tracing hooks into `require` (pg, ioredis), and the images contain them anyway. With undici in its bundle, the gateway
 * needs 73 MB more after many requests, for a reason that is not known.
 */
const packages = [
  'ajv(-formats)?',
  'avvio',
  'bullmq',
  'cron-parser',
  'fast-json-stringify',
  'fastify',
  '@fastify/(accept-negotiator|ajv-compiler|compress|cors|deepmerge|error|fast-json-stringify-compiler|formbody|forwarded|merge-json-schemas|middie|proxy-addr|send|static)',
  'find-my-way',
  'iterare',
  'jsonwebtoken',
  'jws',
  'kysely',
  'luxon',
  'mime(-db)?',
  '@nats-io/[a-z0-9-]+',
  '@nestjs/(common|core|microservices|passport|platform-fastify|throttler)',
  'nodemailer',
  '@opentelemetry/api',
  'passport(-jwt)?',
  'ret',
  'rxjs',
  'semver',
  'smtp-server',
  'zod',
];
const inside = new RegExp(`^(\\.|/|\0|@tandem/|@oxc-project/runtime/|(${packages.join('|')})(/|$))`);
/** `parents`: whose `node_modules` the bundle finds when it runs, besides those of the root. */
export const external = (id, importer, parents = []) => !inside.test(id) && isFound(id, importer, parents);

/** Whether the bundle finds the package that its importer finds. Another version, in the importer's own folder, must be in the bundle. */
function isFound(id, importer, parents) {
  if (importer === undefined || id.startsWith('node:')) return true;
  const name = id.split('/', id.startsWith('@') ? 2 : 1).join('/');
  for (let folder = dirname(importer); folder.startsWith(`${root}/`); folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return parents.includes(folder);
  }
  return true;
}

/** Files whose unused exports can be removed. Nest's own may register something when they are loaded. */
const pure = /^(libs\/[^/]+\/src|node_modules\/(zod|kysely|rxjs))\//;
/** Sets the language of zod's messages. */
const setsLanguage = /\/zod\/v4\/classic\/external\.js$/;

/**
 * Unused code of our libraries is removed, together with the packages that only it would load: the gateway loads neither
 * a job queue nor PostgreSQL. A package that is imported only for its side effects must be listed here.
 */
export const hasEffects = (id, isPackage) =>
  isPackage ? id === 'reflect-metadata' : setsLanguage.test(id) || !pure.test(relative(root, id));

/** The output of each process of the product. */
export const output = {
  format: 'cjs',
  entryFileNames: '[name].js',
  sourcemap: true,
  // Only the positions are needed.
  sourcemapExcludeSources: true,
  // V8 keeps the source of a bundle, as UTF-16 if a single character needs it: with comments and indentation 12 MB per process, instead of 4.
  charset: 'ascii',
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** Fails if a bundle contains a character for which V8 keeps all of it as UTF-16: one in a tagged template, which `charset` does not escape. */
const checkCharacters = {
  name: 'check-characters',
  generateBundle(_options, bundle) {
    for (const { fileName, code = '' } of Object.values(bundle)) {
      const found = /.{0,60}[^\0-\xff]/u.exec(code);
      if (found) this.error(`${fileName} contains a character that is not in Latin-1: write it as \\u…: ${found[0]}`);
    }
  },
};

/**
 * Lets a bundle leave out the contracts that it does not use: their schemas take several MB of a process. Bundlers cannot know that calls
 * like `z.string().nullable()` only return a value, but they leave out an unused function that is called where it is marked as pure.
 */
const unusedContracts = {
  name: 'unused-contracts',
  transform: {
    filter: { id: /\/libs\/contracts\/src\/[^/]+\.ts$/ },
    handler(code, _id, { magicString }) {
      for (const statement of parseAst(code, { lang: 'ts' }).body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type !== 'VariableDeclaration') continue;
        for (const { init } of declaration.declarations.filter(({ init }) => init?.type === 'CallExpression')) {
          magicString.appendRight(init.start, '/* @__PURE__ */ (() => ').appendLeft(init.end, ')()');
        }
      }
      return { code: magicString };
    },
  },
};

export const plugins = [unusedContracts, checkCharacters];
