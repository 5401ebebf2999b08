import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEvents, allJobs, allOperations, problems, publicEvents } from './index';
import { endpointsModule, errorsPage, eventsPage, liveEventsModule, rolesPage } from './pages';

const samplesFolder = join(__dirname, 'samples');
const root = join(__dirname, '../../..');
const duplicates = (names: string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe('the contracts', () => {
  it('give every operation, event and job a unique name, and every operation a unique path', () => {
    expect(duplicates(allOperations.map((op) => op.name))).toEqual([]);
    expect(duplicates(allOperations.map((op) => `${op.method} ${op.path}`))).toEqual([]);
    expect(duplicates(allEvents.map((event) => event.type))).toEqual([]);
    expect(duplicates(allJobs.map((job) => job.type))).toEqual([]);
  });

  it('never let customers subscribe to audited events, which contain client addresses, or send them to pages', () => {
    expect(allEvents.filter((event) => event.audited && (event.public || event.live)).map(({ type }) => type)).toEqual([]);
  });

  it('list all public events', () => {
    expect(new Set(publicEvents)).toEqual(new Set(allEvents.filter((event) => event.public)));
  });

  it('name each operation after its owner', () => {
    for (const op of allOperations) expect(op.name.split('.')[0]).toBe(op.owner);
  });

  it('declare only problems that the catalog has', () => {
    for (const op of allOperations) for (const code of op.problems) expect(problems).toHaveProperty([code]);
  });

  it('refuse unknown members in every body', () => {
    for (const op of allOperations) {
      if (op.input.body) expect(op.input.body.safeParse({ 'no-such-member': 1 }).success).toBe(false);
    }
  });

  it('have a sample of every event, and parse every payload that was ever published', () => {
    const samples = readdirSync(samplesFolder);
    for (const sample of samples) {
      const type = sample.replace(/\.\d+\.json$/, '');
      const event = allEvents.find((candidate) => candidate.type === type);
      if (!event) throw new Error(`${sample}: no event of this type`);
      event.data.parse(JSON.parse(readFileSync(join(samplesFolder, sample), 'utf8')));
    }
    const sampled = new Set(samples.map((sample) => sample.replace(/\.\d+\.json$/, '')));
    expect(allEvents.filter((event) => !sampled.has(event.type)).map((event) => event.type)).toEqual([]);
  });

  it.each([
    ['docs/errors.md', errorsPage],
    ['docs/events.md', eventsPage],
    ['docs/permissions.md', rolesPage],
    ['libs/contracts/src/endpoints.ts', endpointsModule],
    ['libs/contracts/src/live-events.ts', liveEventsModule],
  ])('match %s (written by npm run docs)', (file, render) => {
    if (process.env.UPDATE_DOCS) writeFileSync(join(root, file), render());
    expect(readFileSync(join(root, file), 'utf8')).toBe(render());
  });
});
