const BrowserEnvironment = require('./browser-environment.cjs');
const { needsOwnModules } = require('./own-modules.cjs');

const environments = new Map();

/**
 * jsdom with one window per worker: the modules that it loads are shared by test files (shared-runtime.cjs). Test files that need their own
 * modules get their own window, too.
 */
module.exports = class SharedBrowserEnvironment extends BrowserEnvironment {
  constructor(config, context) {
    const { id } = config.projectConfig;
    const isShared = !needsOwnModules(context.testPath);
    const existing = isShared && environments.get(id);
    if (existing) {
      existing.logTo(context.console);
      return existing;
    }
    super(config, context);
    this.isShared = isShared;
    if (isShared) environments.set(id, this);
  }

  /** Errors of jsdom are printed with the messages of the current test file. */
  logTo(console) {
    const { virtualConsole } = this.dom;
    virtualConsole.removeAllListeners();
    virtualConsole.sendTo(console, { omitJSDOMErrors: true });
    virtualConsole.on('jsdomError', (error) => console.error(error));
  }

  async setup() {
    // The window's timers do not keep the process alive during a test file either.
    if (this.isShared) this.keptAlive = setInterval(() => undefined, 60_000);
    if (this.isSetUp) return;
    this.isSetUp = true;
    await super.setup();
    if (this.isShared) this.replaceTimers();
  }

  /** jsdom's timers would keep the worker alive after its last test file; closing the window would end those of shared modules. */
  replaceTimers() {
    const { global } = this;
    const guarded =
      (work) =>
      (...args) => {
        try {
          work.apply(global, args);
        } catch (error) {
          global.dispatchEvent(new global.ErrorEvent('error', { error, message: String(error), cancelable: true }));
        }
      };
    // Browsers' timers are numbers; Node accepts the number of a timer, too.
    global.setTimeout = (work, ms, ...args) => Number(setTimeout(guarded(work), ms, ...args).unref());
    global.setInterval = (work, ms, ...args) => Number(setInterval(guarded(work), ms, ...args).unref());
    global.clearTimeout = (timer) => clearTimeout(timer);
    global.clearInterval = (timer) => clearInterval(timer);
  }

  /** Restores what a test file may have replaced, and removes the event handlers of its test runner. */
  async teardown() {
    if (!this.isShared) return super.teardown();
    const { global } = this;
    this.fakeTimers.useRealTimers();
    this.fakeTimersModern.useRealTimers();
    this.moduleMocker.restoreAllMocks();
    delete global[Symbol.for('EVENT_HANDLERS')];

    // Neither keeps the worker alive after its last test file.
    for (const channel of this.open) channel.unref();
    clearInterval(this.keptAlive);

    const { document } = global;
    document.body.replaceChildren();
    for (const element of [document.documentElement, document.body]) {
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    }
    document.title = '';
    // Properties that a test has replaced, such as `visibilityState`. Those of React begin with an underscore.
    for (const name of Object.getOwnPropertyNames(document)) {
      if (name !== 'location' && !name.startsWith('_')) delete document[name];
    }
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
    global.history.replaceState(null, '', '/');
    global.localStorage.clear();
    global.sessionStorage.clear();
  }
};
