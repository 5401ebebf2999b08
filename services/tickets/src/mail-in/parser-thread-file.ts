import { join } from 'node:path';

/** The bundle of `parser.thread.ts`, which the build writes next to `main.js`. Tests map this module to one that compiles the source. */
export const parserThreadFile = join(__dirname, 'parser.thread.js');
