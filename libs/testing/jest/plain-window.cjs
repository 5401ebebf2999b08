const { readFileSync } = require('node:fs');
const Module = require('node:module');

/**
 * Makes jsdom's window the global object of its context. jsdom has one object for each, and every access to a global (`Object`, `document`,
 * `setTimeout`) is forwarded from one to the other by Node: 0.25 µs instead of a fraction of a nanosecond, and V8 does not optimize across it.
 * To be loaded before jsdom. https://nodejs.org/api/vm.html#when-to-use-vmconstantsdont_contextify
 */
const ofJsdom = Module.createRequire(Module.createRequire(require.resolve('jest-environment-jsdom')).resolve('jsdom'));
const file = ofJsdom.resolve('./jsdom/browser/Window.js');

const replacements = [
  ['const window = {};', 'const window = makeVMContext ? vm.createContext(vm.constants.DONT_CONTEXTIFY) : {};'],
  ['    vm.createContext(window);\n', ''],
];
let source = readFileSync(file, 'utf8');
for (const [from, to] of replacements) {
  if (source.split(from).length !== 2) throw new Error(`${file} has changed: adapt ${__filename}`);
  source = source.replace(from, to);
}
const changed = new Module(file);
changed.filename = file;
changed.paths = Module._nodeModulePaths(file);
require.cache[file] = changed;
changed._compile(source, file);
changed.loaded = true;
