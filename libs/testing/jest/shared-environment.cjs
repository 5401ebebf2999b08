const { TestEnvironment } = require('jest-environment-node');

const environments = new Map();

/** Node's environment with one global object per worker: the modules that it loads are shared by test files (shared-runtime.cjs). */
module.exports = class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { id } = config.projectConfig;
    if (environments.has(id)) return environments.get(id);
    super(config, context);
    environments.set(id, this);
  }

  /** Restores what a test file may have replaced, and removes the event handlers of its test runner. */
  async teardown() {
    this.fakeTimers.useRealTimers();
    this.fakeTimersModern.useRealTimers();
    this.moduleMocker.restoreAllMocks();
    delete this.global[Symbol.for('EVENT_HANDLERS')];
  }
};
