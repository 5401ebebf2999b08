import { parseArgs } from 'node:util';
import { Refused } from '../installation';
import { findKeyUse, resealAll, type KeyUse } from '../keys';
import type { Subcommand } from '../subcommand';

const usage = 'tandem keys <status | reseal> [--json]';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean', default: false } } });
    const [name, ...rest] = positionals;
    if ((name !== 'status' && name !== 'reseal') || rest.length > 0) throw new Refused(`usage: ${usage}`);
    const resealed = name === 'reseal' ? await resealAll() : undefined;
    const keys = await findKeyUse();
    if (values.json) console.log(JSON.stringify({ ...resealed, keys }));
    else {
      if (resealed) console.log(`${resealed.resealed} values sealed with the current key, ${resealed.unreadable} cannot be opened.`);
      for (const key of keys) print(key);
    }
    return keys.every(({ is_configured }) => is_configured) && !resealed?.unreadable ? 0 : 1;
  },
};
export default command;

function print({ key_id, is_configured, is_current, values }: KeyUse): void {
  const count = Object.values(values).reduce((sum, rows) => sum + rows, 0);
  const what = is_current ? 'the current key' : is_configured ? 'an earlier key' : 'not in ENCRYPTION_KEYS, these values cannot be opened';
  console.log(`${key_id}: ${what}, ${count} values${!is_current && is_configured && count === 0 ? '; it can be removed' : ''}`);
  for (const [place, rows] of Object.entries(values)) console.log(`  ${place}: ${rows}`);
}
