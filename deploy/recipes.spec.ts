import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Two recipes of CONTRIBUTING.md, applied to a copy of the code. A recipe is true if the copy compiles with all its steps, and complete if
 * it does not compile without one of them.
 */
const root = join(__dirname, '..');

/** Lines to add to a file, each after the line in which the given text ends. */
interface Step {
  file: string;
  add: [after: string, line: string][];
  /** A step that is not needed to compile. */
  isOptional?: boolean;
}

const addField: Step[] = [
  {
    file: 'libs/contracts/src/tickets.ts',
    add: [
      ['export const Ticket = TicketBase', '  region: z.string().nullable().default(null),'],
      ['export const CreateTicket = z', '  region: blankToNull(2),'],
      ['export const UpdateTicket = z\n  .strictObject({', '    region: blankToNull(2),'],
    ],
  },
  {
    file: 'services/tickets/src/ticket/ticket-fields.ts',
    add: [["  subject: { insert: 'text'", "  region: { insert: 'text', change: 'client' },"]],
  },
  { file: 'web/src/testing/backend.ts', add: [['export const aTicket =', '  region: null,']] },
  {
    file: 'web/src/features/tickets/panel/Origin.tsx',
    add: [['{ticket.channel && <Badge', '      {ticket.region && <Badge>{ticket.region}</Badge>}']],
    isOptional: true,
  },
];

const addFilter: Step[] = [
  { file: 'libs/contracts/src/tickets.ts', add: [['const valueFilters = {', '  customer_name: text(ticketLimits.name),']] },
  {
    file: 'services/tickets/src/ticket/ticket-filters.ts',
    add: [['const rules: {', "  customer_name: (value) => ({ column: 'customer_name', is: 'equal', value }),"]],
  },
  {
    file: 'web/src/features/tickets/list/ticket-filters.ts',
    add: [
      ['const parsers: {', '  customer_name: (value) => plain(value, ticketLimits.name),'],
      ['export const chipNames:', "  customer_name: 'Customer name',"],
    ],
  },
  {
    file: 'web/src/features/tickets/list/MoreFiltersPopup.tsx',
    add: [
      [
        'const set = (part: TicketFilters) => setDraft({ ...draft, ...part });\n  return {',
        '    customer_name: <Input value={draft.customer_name ?? ""} readOnly />,',
      ],
    ],
  },
];

/**
 * The files that are compiled: all of the tickets service and the pages of tickets, which a step could break anywhere, and for an omitted
 * step only the files around the steps.
 */
const projects = {
  tickets: { folder: 'services/tickets', include: ['src', 'test'] },
  web: { folder: 'web', include: ['src/testing', 'src/features/tickets', 'src/*.d.ts'] },
  'tickets-steps': { folder: 'services/tickets', include: ['src/ticket/ticket-fields.ts', 'src/ticket/ticket-filters.ts'] },
  'web-steps': { folder: 'web', include: ['src/testing/backend.ts', 'src/features/tickets/list/MoreFiltersPopup.tsx', 'src/*.d.ts'] },
};
type Project = keyof typeof projects;

let copy: string;
beforeAll(() => {
  mkdirSync(join(root, '.local'), { recursive: true });
  copy = mkdtempSync(join(root, '.local', 'recipes-'));
  for (const folder of ['libs/contracts/src', 'services/tickets/src', 'services/tickets/test', 'web/src'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  for (const folder of ['services/tickets', 'web']) symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  // The other libraries are not copied; `paths` makes them use the copied contracts, too.
  const contracts = join(copy, 'libs/contracts/src');
  const paths = {
    '@tandem/contracts': [join(contracts, 'index.ts')],
    '@tandem/contracts/values': [join(contracts, 'values/index.ts')],
    '@tandem/contracts/endpoints': [join(contracts, 'endpoints.ts')],
    // Tests use the sandbox, whose webhook sink verifies signatures.
    '@tandem/sdk': [join(root, 'libs/sdk/src/index.ts')],
  };
  for (const [project, { folder, include }] of Object.entries(projects)) {
    const config = { extends: join(root, folder, 'tsconfig.json'), compilerOptions: { paths }, include };
    writeFileSync(join(copy, folder, `${project}.json`), JSON.stringify(config));
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function edit({ file, add }: Step): void {
  const path = join(copy, file);
  let text = readFileSync(path, 'utf8');
  for (const [after, line] of add) {
    const found = text.indexOf(after);
    if (found < 0) throw new Error(`${file} does not contain: ${after}`);
    const end = text.indexOf('\n', found + after.length);
    text = `${text.slice(0, end)}\n${line}${text.slice(end)}`;
  }
  writeFileSync(path, text);
}

/** Applies the steps to the copy, compiles one of its projects and undoes the steps. Returns the errors. */
function compile(project: Project, steps: Step[]): string {
  steps.forEach(edit);
  const args = [join(root, 'node_modules/typescript-native/bin/tsc'), '--singleThreaded', '-p', join(copy, projects[project].folder, `${project}.json`)]; // prettier-ignore
  // As in typecheck.mjs.
  const env = { GOGC: 'off', ...process.env };
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  for (const { file } of steps) cpSync(join(root, file), join(copy, file));
  return stdout;
}

const recipes = [
  { recipe: '(a) Add a field to a ticket', steps: addField, otherFiles: 1, maxFiles: 5 },
  { recipe: '(k) Add a filter to the ticket list', steps: addFilter, otherFiles: 0, maxFiles: 4 },
];

it.each(recipes)('$recipe: lists every file that it changes', ({ recipe, steps, otherFiles, maxFiles }) => {
  const section = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`### ${recipe}\n`)[1]?.split('\n##')[0] ?? '';
  for (const { file, isOptional } of steps) if (!isOptional) expect(section).toContain(`\`${file}\``);
  expect(steps.length + otherFiles).toBeLessThanOrEqual(maxFiles);
});

// The recipes do not depend on each other: compiled together, they take half the time.
it.each(['tickets', 'web'] as const)('all steps compile in %s', (project) =>
  expect(compile(project, [...addField, ...addFilter])).toBe(''),
);

const without = (project: Project, ...omitted: (Step | undefined)[]) => {
  const steps = omitted.filter((step) => step !== undefined);
  return { project, steps, files: steps.map(({ file }) => file).join(' and ') };
};
const [field, filter] = [addField, addFilter].map((steps) => steps.filter(({ isOptional }) => !isOptional));
/** One step of each recipe is left out at a time; the errors name the new field or filter. */
const omissions = [
  without('tickets-steps', field?.[0], filter?.[0]),
  without('tickets-steps', field?.[1], filter?.[1]),
  without('web-steps', field?.[2], filter?.[2]),
  without('web-steps', filter?.[3]),
];
it.each(omissions)('the steps do not compile without $files', ({ project, steps }) => {
  const errors = compile(project, [...addField, ...addFilter].filter((step) => !steps.includes(step))); // prettier-ignore
  for (const step of steps) expect(errors).toContain(addField.includes(step) ? 'region' : 'customer_name');
});
it('every step is omitted once', () => expect(new Set(omissions.flatMap(({ steps }) => steps))).toEqual(new Set([...field!, ...filter!])));
