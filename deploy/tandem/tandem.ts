#!/usr/bin/env node
/** The command for operators: `tandem <subcommand>`. Each subcommand is a file in commands/. Reads the variables of the services. */
import { Refused } from './installation';
import type { Subcommand } from './subcommand';

const subcommands: Record<string, () => Promise<{ default: Subcommand }>> = {
  backup: () => import('./commands/backup'),
  restore: () => import('./commands/restore'),
  doctor: () => import('./commands/doctor'),
  upgrade: () => import('./commands/upgrade'),
  check: () => import('./commands/check'),
  rebuild: () => import('./commands/rebuild'),
  keys: () => import('./commands/keys'),
  admin: () => import('./commands/admin'),
  mail: () => import('./commands/mail'),
  'support-bundle': () => import('./commands/support-bundle'),
  'dead-letters': () => import('./commands/dead-letters'),
};

async function main([name = '', ...args]: string[]): Promise<number> {
  const load = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!load) {
    const all = await Promise.all(Object.values(subcommands).map(async (each) => (await each()).default.usage));
    console.error(`Usage:\n${all.map((usage) => `  ${usage.replaceAll('\n', '\n  ')}`).join('\n')}`);
    return name === 'help' || name === '--help' ? 0 : 2;
  }
  return (await load()).default.run(args);
}

/** Does not wait for open connections: that of `doctor` to a server that hangs would keep the process alive. */
function exit(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

main(process.argv.slice(2)).then(exit, (error: unknown) => {
  const isArgument = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
  console.error(error instanceof Refused || isArgument ? (error as Error).message : error);
  exit(isArgument ? 2 : 1);
});
