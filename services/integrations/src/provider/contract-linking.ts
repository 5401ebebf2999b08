import { draft } from './contract-tasks';
import { fits } from './fit';
import type { Begin } from './contract-world';

/** Tandem's lines of a task that ten other tickets share, `listed` of them by name. */
const linesWith = (listed: number) => [
  ...draft().description.lines,
  { label: 'Customers', text: '11 customers in 11 tickets' },
  ...Array.from({ length: listed }, (_, i) => ({
    label: 'Ticket',
    text: `ACME-10${i}`,
    url: `https://acme.tandem.test/tickets/other${i}`,
  })),
  ...(listed < 10 ? [{ label: 'Tickets', text: `and ${10 - listed} more` }] : []),
];

/** The requirements for a provider to link a ticket to an existing task, and several tickets to one task. */
export function describeLinking(begin: Begin) {
  describe('existing tasks', () => {
    it('are found by every reference that users know, and returned with their id', async () => {
      const { tool, world, call } = await begin();
      const id = world.person.createTask('The printer is on fire');
      for (const name of world.namesOf(id)) {
        const reference = tool.taskIdOf(name, world.place);
        expect([name, reference]).toEqual([name, expect.any(String)]);
        expect(await tool.getTask(call, reference ?? '')).toMatchObject({ id, title: 'The printer is on fire' });
      }
    });

    it('are not found by invalid references, or by those of another tool', async () => {
      const { tool, world } = await begin();
      for (const typed of [
        '',
        '  ',
        'the printer',
        'https://evil.test/t/DEV-123',
        'https://evil.test/a/b/issues/1',
        'javascript:1',
        '../1',
        '#',
      ])
        expect([typed, tool.taskIdOf(typed, world.place)]).toEqual([typed, undefined]);
    });

    it('are found by words of their titles, in any order and case, the latest change first', async () => {
      const { tool, world, call } = await begin();
      const first = world.person.createTask('Printer burns in the office');
      const second = world.person.createTask('The office PRINTER is on fire');
      world.person.createTask('Another matter');
      const found = await tool.searchTasks(call, world.place.list_id, 'office  printer');
      expect(found.map(({ id }) => id)).toEqual([second, first]);
      expect(await tool.searchTasks(call, world.place.list_id, 'printer elephant')).toEqual([]);
    });

    it('are searched with few calls, regardless of their number', async () => {
      const { tool, world, call } = await begin();
      for (let i = 0; i < 410; i += 1) world.person.createTask(i % 2 === 0 ? `Task ${i}` : `Bug ${i}`);
      let calls = 0;
      const counted: typeof call = (request) => {
        calls += 1;
        return call(request);
      };
      expect(await tool.searchTasks(counted, world.place.list_id, 'bug')).toHaveLength(20);
      expect(calls).toBe(1);
      expect(await tool.searchTasks(counted, world.place.list_id, 'nowhere')).toEqual([]);
      expect(calls).toBe(1 + 3);
    });

    it('keep their text and its formatting when our lines below it are replaced', async () => {
      const { tool, world, call } = await begin();
      const id = world.person.createTask('Found by hand');
      world.person.describe(id, 'Steps:\n\n- **one**\n- [two](https://docs.test/two)');
      const { lines } = draft().description;
      await tool.writeLines(call, id, lines);
      const { description } = await tool.getTask(call, id);
      const more = [...lines, { label: 'Customers', text: '2 customers in 2 tickets' }];
      const other = { label: 'Ticket', text: 'ACME-0002', url: 'https://acme.tandem.test/tickets/8a4d' };
      const written = await tool.writeLines(call, id, [...more, other]);
      // The text above is unchanged, and none of our lines counts as text below them.
      expect(written).toMatchObject({ id, description, below: null });
      for (const part of ['one', 'two', 'https://docs.test/two']) expect(world.descriptionOf(id)).toContain(part);
      expect(world.descriptionOf(id)).toMatch(/\*\*one\*\*/);
      expect(world.descriptionOf(id).match(/Added by Tandem/g)).toHaveLength(1);
      expect(world.descriptionOf(id)).toContain('2 customers in 2 tickets');
    });

    it('list fewer tickets if the description has no room for all, and keep their text', async () => {
      const { tool, world, call } = await begin();
      const limit = tool.limits.description;
      if (!limit) return expect(limit).toBeNull();
      const shorter = Array.from({ length: 10 }, (_, i) => linesWith(9 - i));
      const filled = (room: number) => 'word '.repeat((limit.most - room) / 5).trim();
      const id = world.person.createTask('Found by hand');
      world.person.describe(id, filled(600));
      const { description } = await tool.getTask(call, id);
      expect(await tool.writeLines(call, id, linesWith(10), shorter)).toMatchObject({ id, description });
      const shown = world.descriptionOf(id).replaceAll('\\', '');
      expect(shown.startsWith(filled(600))).toBe(true);
      expect(fits(world.descriptionOf(id), limit)).toBe(true);
      const listed = shown.match(/tickets\/other\d/g)?.length ?? 0;
      expect(listed).toBeGreaterThan(0);
      expect(listed).toBeLessThan(10);
      expect(shown).toContain(`and ${10 - listed} more`);
      world.person.describe(id, filled(5));
      await expect(tool.writeLines(call, id, linesWith(10), shorter)).rejects.toMatchObject({ problem: 'refused' });
      expect(world.descriptionOf(id)).toBe(filled(5));
    });

    it('belong to the ticket that they were created for, not to those that were linked later', async () => {
      const { tool, world, call } = await begin();
      const begun = new Date().toISOString();
      const task = await tool.createTask(call, world.place.list_id, draft());
      const other = { label: 'Ticket', text: 'ACME-0002', url: 'https://acme.tandem.test/tickets/8a4d' };
      await tool.writeLines(call, task.id, [...draft().description.lines, { label: 'Customers', text: '2 customers in 2 tickets' }, other]);
      expect(await tool.findTask(call, world.place.list_id, '/tickets/7f3c', begun)).toMatchObject({ id: task.id });
      expect(await tool.findTask(call, world.place.list_id, '/tickets/8a4d', begun)).toBeUndefined();
    });
  });
}
