const { default: Runtime } = require('jest-runtime');
const { needsOwnModules } = require('./own-modules.cjs');

/**
 * Loads each module once per worker instead of once per test file: for most test files, loading the framework and the services takes longer
 * than the tests. Only for environments whose global object is shared, too (shared-environment.cjs), because modules keep using the globals
 * with which they were loaded. Test files and setup files run once per test file, so that their hooks and tests are registered.
 */
const registries = new Map();
const current = new Map();

module.exports = class SharedRuntime extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    this.isShared = !needsOwnModules(this._testPath);
    if (!this.isShared) return;
    this.project = config.id;
    this.filesOfTest = [this._testPath, ...config.setupFilesAfterEnv];
    if (!registries.has(this.project)) registries.set(this.project, { modules: new Map(), sourceMaps: new Map() });
    const { modules, sourceMaps } = registries.get(this.project);
    this.registries.moduleRegistry = modules;
    this.transformCache.sourceMaps = sourceMaps;
    current.set(this.project, this);
    // A shared module keeps the `jest` object with which it was loaded (the Testing Library advances fake timers with it).
    this.jestObjectFor = this.jestGlobals.jestObjectFor.bind(this.jestGlobals);
    this.jestGlobals.jestObjectFor = (from) =>
      this.filesOfTest.includes(from)
        ? this.jestObjectFor(from)
        : new Proxy({}, { get: (_, name) => current.get(this.project).jestObjectFor(from)[name] });
  }

  /** A module may require others after the test file that loaded it has ended: the runtime of the current file loads them. */
  requireModuleOrMock(from, moduleName) {
    const runtime = this.isShared ? current.get(this.project) : this;
    return runtime === this ? super.requireModuleOrMock(from, moduleName) : runtime.requireModuleOrMock(from, moduleName);
  }

  teardown() {
    if (!this.isShared) return super.teardown();
    for (const file of this.filesOfTest) this.registries.moduleRegistry.delete(file);
    // The base class clears its maps.
    this.registries.moduleRegistry = new Map();
    this.transformCache.sourceMaps = new Map();
    super.teardown();
  }
};
