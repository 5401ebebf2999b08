const { default: Runtime } = require('jest-runtime');

/**
 * Loads each module once per worker instead of once per test file: for most test files, loading the framework and the services takes longer
 * than the tests. Only for environments whose global object is shared, too (shared-environment.cjs), because modules keep using the globals
 * with which they were loaded. A test file itself runs once, so that its hooks and tests are registered.
 */
const registries = new Map();
const current = new Map();

module.exports = class SharedRuntime extends Runtime {
  constructor(config, ...rest) {
    super(config, ...rest);
    this.project = config.id;
    if (!registries.has(this.project)) registries.set(this.project, { modules: new Map(), sourceMaps: new Map() });
    const { modules, sourceMaps } = registries.get(this.project);
    this.registries.moduleRegistry = modules;
    this.transformCache.sourceMaps = sourceMaps;
    current.set(this.project, this);
  }

  /** A module may require others after the test file that loaded it has ended: the runtime of the current file loads them. */
  requireModuleOrMock(from, moduleName) {
    const runtime = current.get(this.project) ?? this;
    return runtime === this ? super.requireModuleOrMock(from, moduleName) : runtime.requireModuleOrMock(from, moduleName);
  }

  teardown() {
    this.registries.moduleRegistry.delete(this._testPath);
    // The base class clears its maps.
    this.registries.moduleRegistry = new Map();
    this.transformCache.sourceMaps = new Map();
    super.teardown();
  }
};
