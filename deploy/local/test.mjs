/** `npm test`: see bootstrap.mjs, then test.ts. */
import { handOver } from './bootstrap.mjs';

handOver('test.ts', process.argv.slice(2)).catch((error) => {
  console.error(`  ✗ ${error.message}`);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
