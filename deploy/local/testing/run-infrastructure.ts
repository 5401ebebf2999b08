/** A starter of its own, for tests that kill one: starts in the directory given, prints one line of JSON, stays until SIGTERM. */
import { startInfrastructure } from '../infrastructure.ts';

const infrastructure = await startInfrastructure({
  directory: process.argv[2]!,
  ephemeral: false,
  addresses: {},
  log: (line) => console.error(line),
});
process.once('SIGTERM', () => void infrastructure.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ env: infrastructure.env, processes: infrastructure.processes }));
setInterval(() => {}, 60_000);
