/** `npm run bench`: see deploy/local/bootstrap.mjs (dependencies, the project's own Node), then bench.ts. */
import { handOver } from '../local/bootstrap.mjs';

handOver('../bench/bench.ts', process.argv.slice(2)).catch((error) => {
  console.error(`  ✗ ${error.message}`);
  process.exitCode = 1;
});
