const { TestEnvironment } = require('jest-environment-jsdom');

/**
 * jsdom with what browsers have and jsdom lacks, lent from Node. AbortController goes with fetch although jsdom has one of its own:
 * Node's fetch refuses a foreign signal.
 */
const lent = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'AbortController',
  'AbortSignal',
  'TextEncoder',
  'TextDecoder',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'CompressionStream',
  'DecompressionStream',
  'TextDecoderStream',
  'TextEncoderStream',
  'structuredClone',
  'performance',
];

module.exports = class BrowserEnvironment extends TestEnvironment {
  /** Channels keep a process alive, and neither React, which schedules its work through one, nor MSW closes theirs. */
  open = [];

  async setup() {
    await super.setup();
    for (const name of lent) {
      Object.defineProperty(this.global, name, { value: globalThis[name], writable: true, configurable: true, enumerable: true });
    }
    const { open } = this;
    this.global.BroadcastChannel = class extends BroadcastChannel {
      constructor(name) {
        super(name);
        open.push(this);
      }
    };
    this.global.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        open.push(this.port1, this.port2);
      }
    };
    // Bytes of Node's streams are instances of Node's Uint8Array.
    this.global.Uint8Array = Uint8Array;
    this.global.ArrayBuffer = ArrayBuffer;
  }

  async teardown() {
    for (const channel of this.open.splice(0)) channel.close();
    await super.teardown();
  }
};
