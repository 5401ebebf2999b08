import { Id } from '@tandem/contracts';
import { parseArgs } from 'node:util';
import { Refused } from '../installation';
import { findOrganizations, rebuildAnalytics, rebuildLinks, rebuildSearch, type RebuildOptions } from '../rebuild';
import type { Subcommand } from '../subcommand';

const usage = 'tandem rebuild <analytics [--days] | search | links> [<organization id>]';

const projections: Record<string, (organization_ids: readonly string[], options: RebuildOptions) => Promise<string>> = {
  analytics: rebuildAnalytics,
  search: rebuildSearch,
  links: rebuildLinks,
};

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { days: { type: 'boolean', default: false } } });
    const [name = '', only, ...rest] = positionals;
    const rebuild = Object.hasOwn(projections, name) ? projections[name] : undefined;
    const isId = only === undefined || Id.safeParse(only).success;
    if (!rebuild || rest.length > 0 || !isId || (values.days && name !== 'analytics')) throw new Refused(`usage: ${usage}`);
    const organizations = await findOrganizations();
    if (only !== undefined && !organizations.includes(only)) throw new Refused(`There is no organization ${only}.`);
    console.log(await rebuild(only === undefined ? organizations : [only], values));
    return 0;
  },
};
export default command;
