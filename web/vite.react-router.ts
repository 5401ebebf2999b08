import type { Plugin } from 'vite';

/** Replacements in React Router's file. All of them must apply: if an update changes these lines, the build fails. */
const replacements: [pattern: RegExp, replacement: string][] = [
  [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
  // Bundlers must assume that these assignments and calls have side effects, and keep unused components: forms, awaited data, scroll restoration.
  [/^\w+\.displayName = "\w+";$/gm, ''],
  [/(?<== )(React\w*\.(?:createContext|forwardRef|memo)\()/g, '/* @__PURE__ */ $1'],
  [/^var (\w+) = (class extends React\w*\.Component \{[^]*?^\});$/gm, 'var $1 = /* @__PURE__ */ (() => $2)();'],
  // Only with React Router as a framework, which this app does not use: prefetching of pages, errors of server components.
  [/React\w*\.createElement\(PrefetchPageLinks, \{ page: href \}\)/, 'null'],
  [/React\w*\.createElement\(RSCErrorHandler, \{ error \}, result\)/, 'result'],
];

/**
 * Removes the parts of React Router that this app does not use. The library is a single file, and its package gives bundlers only the
 * development variant.
 */
export function smallReactRouter(): Plugin {
  let isApplied = false;
  return {
    name: 'tandem-small-react-router',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/]development[\\/]chunk-\w+\.mjs$/, code: 'var ENABLE_DEV_WARNINGS' },
      handler(code) {
        let result = code;
        for (const [pattern, replacement] of replacements) {
          if (!pattern.test(result)) this.error(`React Router no longer contains ${pattern.source}`);
          result = result.replace(pattern, replacement);
        }
        isApplied = true;
        return { code: result, map: null };
      },
    },
    generateBundle() {
      if (!isApplied) this.error('React Router’s file was not found: compare its name with the filter in vite.react-router.ts');
    },
  };
}
