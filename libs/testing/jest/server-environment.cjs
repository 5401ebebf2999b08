const SharedEnvironment = require('./shared-environment.cjs');

/**
 * The shared environment. At the end of each test file, after the file's own hooks, it runs the work registered with `onTestFileEnd`
 * (libs/testing/src/on-test-file-end.ts), last registered first. A hook could not do that: the first one registered would run before those of the test.
 */
module.exports = class ServerEnvironment extends SharedEnvironment {
  async handleTestEvent(event) {
    if (event.name !== 'run_finish') return;
    const works = this.global[Symbol.for('tandem.testing.cleanups')] ?? [];
    for (const work of works.splice(0).reverse()) await work();
  }
};
