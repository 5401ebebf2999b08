const { readFileSync } = require('node:fs');

/** Test files that replace or reload modules get their own: in shared ones, the module may already be loaded with its real dependencies. */
exports.needsOwnModules = (testPath) => /\bjest\.(mock|doMock|isolateModules|resetModules)/.test(readFileSync(testPath, 'utf8'));
