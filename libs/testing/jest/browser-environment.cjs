// First, because they change jsdom.
require('./light-styles.cjs');
require('./plain-window.cjs');
const { TestEnvironment } = require('jest-environment-jsdom');

/**
 * jsdom plus browser features that it lacks, taken from Node. AbortController is replaced together with fetch although jsdom has one:
 * Node's fetch rejects signals of another implementation. URL is replaced because jsdom's, written in JavaScript, took a quarter of the CPU
 * time: MSW parses the address of each request once per handler.
 */
const nodeGlobals = [
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
  'URL',
  'URLSearchParams',
  'performance',
];

module.exports = class BrowserEnvironment extends TestEnvironment {
  /** Open message channels keep a process alive, and neither React, which schedules its work through one, nor MSW closes theirs. */
  open = [];

  async setup() {
    await super.setup();
    for (const name of nodeGlobals) {
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
    // Chunks of Node's streams are instances of Node's Uint8Array.
    this.global.Uint8Array = Uint8Array;
    this.global.ArrayBuffer = ArrayBuffer;
  }

  async teardown() {
    for (const channel of this.open.splice(0)) channel.close();
    await super.teardown();
  }
};
