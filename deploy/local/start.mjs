/** `npm start`: see bootstrap.mjs, then start.ts. */
import { handOver } from './bootstrap.mjs';

console.log('Tandem');
handOver('start.ts', process.argv.slice(2)).catch((error) => {
  console.error(`  ✗ ${error.message}`);
  process.exitCode = 1;
});
