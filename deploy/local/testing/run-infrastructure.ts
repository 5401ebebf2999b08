/** A separate starter process, for tests that kill one: starts in the given directory, prints one line of JSON, runs until SIGTERM. */
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
