import type { Plugin } from 'vite';

/** Replacements in React Router's file. All of them must apply: after an update that changes these lines, the build fails instead of growing. */
const replacements: [pattern: RegExp, replacement: string][] = [
  [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
  // Assignments and calls that may have side effects, which keep unused components in the build: forms, awaited data, scroll restoration.
  [/^\w+\.displayName = "\w+";$/gm, ''],
  [/(?<== )(React\w*\.(?:createContext|forwardRef|memo)\()/g, '/* @__PURE__ */ $1'],
  [/^var (\w+) = (class extends React\w*\.Component \{[^]*?^\});$/gm, 'var $1 = /* @__PURE__ */ (() => $2)();'],
  // Only with React Router as a framework, which this app does not use: prefetching of pages, errors of server components.
  [/React\w*\.createElement\(PrefetchPageLinks, \{ page: href \}\)/, 'null'],
  [/React\w*\.createElement\(RSCErrorHandler, \{ error \}, result\)/, 'result'],
];

/**
 * Leaves what this app does not use of React Router out of the build. All of the library is in one file, and bundlers always receive its
 * variant for development.
 */
export const smallReactRouter = (): Plugin => ({
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
      return { code: result, map: null };
    },
  },
});
