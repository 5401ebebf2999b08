import { fits, isShortened } from './fit';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Begin } from './contract-world';
import type { TaskDraft } from './task-tool';

export const draft = (change: Partial<TaskDraft> = {}): TaskDraft => ({
  title: 'Cannot sign in',
  description: {
    text: 'The page stays white.',
    lines: [
      { label: 'Ticket', text: 'ACME-0001', url: 'https://acme.tandem.test/tickets/7f3c' },
      { label: 'Customer', text: 'Ada_Lovelace <ada@customer.test>' },
    ],
  },
  tags: [],
  assignee_ids: [],
  due_at: null,
  ...change,
});
export const longAgo = '2020-01-01T00:00:00.000Z';

/** Texts that Markdown, HTML or the tool could interpret as markup. */
const hostile = [
  '**bold** _and_ `code` ~~gone~~ \\*kept\\*',
  '# Heading\n## Another\nText\n===\nText\n---\nmore',
  '- one\n* two\n+ three\n1. four\n2) five',
  '> quoted\n>> twice',
  '[click](javascript:alert(1)) ![picture](https://evil.test/x.png) <https://x.test>',
  '<script>alert(1)</script> <img src=x onerror=alert(1)> &lt;b&gt; &amp; <!-- hidden -->',
  '```js\ncode()\n```\n    indented\n\ttabbed',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  'https://shop.test/a_b/__c__?x=1&y=(2)*3#top and snake_case_name',
  'one\ntwo\n\nthree\n\n\nfour',
  '$math$ :smile: 100% !important {braces} a|b ~c~ 5 < 6 > 4',
  'C:\\Users\\ada\\new folder\\',
];

export function describeTasks(begin: Begin) {
  describe('tasks', () => {
    it('are created with every supported field, and read back unchanged', async () => {
      const { tool, world, call } = await begin();
      const can = (field: (typeof tool.capabilities.fields)[number]) => tool.capabilities.fields.includes(field);
      const { statuses } = await tool.describeList(call, world.place.list_id);
      const wanted = draft({
        status: statuses.at(-1)?.name,
        ...(can('priority') && { priority: 'high' as const }),
        tags: ['billing', 'vip'],
        assignee_ids: can('assignee') ? [world.member.id] : [],
        due_at: can('due_at') ? '2026-12-01T10:00:00.000Z' : null,
      });
      const made = await tool.createTask(call, world.place.list_id, wanted);
      expect(made).toMatchObject({ title: 'Cannot sign in', description: 'The page stays white.', list_id: world.place.list_id });
      expect(made.url).toMatch(/^https?:/);
      expect(made.status).toEqual(statuses.at(-1));
      expect([...made.tags].sort()).toEqual(['billing', 'vip']);
      expect(made.priority).toBe(can('priority') ? 'high' : null);
      expect(made.assignees.map(({ id }) => id)).toEqual(wanted.assignee_ids);
      expect(made.due_at).toBe(wanted.due_at);
      expect(await tool.getTask(call, made.id)).toEqual(made);
    });

    it('start in the first status of the list, without a description if there is none', async () => {
      const { tool, world, call } = await begin();
      const { statuses } = await tool.describeList(call, world.place.list_id);
      const made = await tool.createTask(
        call,
        world.place.list_id,
        draft({ description: { text: null, lines: draft().description.lines } }),
      );
      expect(made).toMatchObject({ status: statuses[0], description: null, tags: [], assignees: [], due_at: null, priority: null });
    });

    it('are updated field by field, and nothing else changes', async () => {
      const { tool, world, call } = await begin();
      const { statuses } = await tool.describeList(call, world.place.list_id);
      const done = statuses.find(({ category }) => category === 'done');
      let task = await tool.createTask(call, world.place.list_id, draft({ tags: ['a'] }));
      const change = async (patch: Parameters<typeof tool.updateTask>[2], expected: Partial<typeof task>) => {
        const result = await tool.updateTask(call, task.id, patch);
        expect(result.refused).toEqual([]);
        const after = result.task ?? (await tool.getTask(call, task.id));
        expect({ ...after, updated_at: '' }).toEqual({ ...task, ...expected, updated_at: '' });
        task = after;
      };
      await change({ title: 'New _title_ <b>' }, { title: 'New _title_ <b>' });
      await change({ description: { text: 'Other text', lines: draft().description.lines } }, { description: 'Other text' });
      await change({ description: { text: null, lines: [] } }, { description: null });
      await change({ status: done?.name }, { status: done });
      await change({ status: statuses[0]?.name }, { status: statuses[0] });
      await change({ tags: { add: ['b c/d'], remove: ['a'] } }, { tags: ['b c/d'] });
      const { fields } = tool.capabilities;
      if (fields.includes('priority')) await change({ priority: 'urgent' }, { priority: 'urgent' });
      if (fields.includes('assignee')) {
        const [member] = (await tool.listMembers(call, world.place)).filter(({ id }) => id === world.member.id);
        await change({ assignees: { add: [world.member.id], remove: [] } }, { assignees: member && [member] });
        await change({ assignees: { add: [], remove: [world.member.id] } }, { assignees: [] });
      }
      if (fields.includes('due_at')) {
        await change({ due_at: '2026-12-02T08:30:00.000Z' }, { due_at: '2026-12-02T08:30:00.000Z' });
        await change({ due_at: null }, { due_at: null });
      }
    });

    it('are updated with the other fields if the status is unknown', async () => {
      const { tool, world, call } = await begin();
      const task = await tool.createTask(call, world.place.list_id, draft());
      const result = await tool.updateTask(call, task.id, { title: 'Taken', status: 'No such status', tags: { add: ['x'], remove: [] } });
      expect(result.refused).toEqual([{ field: 'status', message: expect.any(String) as string }]);
      expect(result.task).toMatchObject({ title: 'Taken', status: task.status, tags: ['x'] });
    });

    it.each(hostile)('show a customer’s text as plain text, and return it unchanged: %j', async (text) => {
      const { tool, world, call } = await begin();
      const made = await tool.createTask(
        call,
        world.place.list_id,
        draft({ title: text.replaceAll('\n', ' '), description: { ...draft().description, text } }),
      );
      expect(made.title).toBe(text.replaceAll('\n', ' '));
      expect(made.description).toBe(text.replaceAll('\t', '    '));
    });

    it('are listed by change time, each at least once, the oldest change first, including finished ones', async () => {
      const { tool, world, call } = await begin();
      const { list_id } = world.place;
      const { statuses } = await tool.describeList(call, list_id);
      const ids = Array.from({ length: 230 }, (_, i) => world.person.createTask(`Task ${i}`));
      world.person.setStatus(ids[7] ?? '', statuses.at(-1)?.name ?? '');
      const seen: string[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await tool.listChanged(call, list_id, null, cursor);
        expect(page.tasks.map((task) => task.updated_at)).toEqual(page.tasks.map((task) => task.updated_at).sort());
        seen.push(...page.tasks.map((task) => task.id));
        cursor = page.cursor;
        // A change while the list is read must not make a task skip a page.
        if (pages++ === 0) world.person.rename(seen[0] ?? '', 'Changed meanwhile');
      } while (cursor !== undefined && pages < 20);
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(pages).toBeLessThanOrEqual(5);
    });

    it('are listed from the archive, too, in the order of their changes', async () => {
      const { tool, world, call } = await begin();
      const { list_id } = world.place;
      const ids = Array.from({ length: 130 }, (_, i) => world.person.createTask(`Task ${i}`));
      for (const id of ids.slice(0, 5)) world.person.archiveTask?.(id);
      const seen = new Map<string, string>();
      let cursor: string | undefined;
      do {
        const page = await tool.listChanged(call, list_id, null, cursor);
        const times = page.tasks.map((task) => task.updated_at);
        expect(times).toEqual([...times].sort());
        for (const { id, updated_at } of page.tasks) seen.set(id, updated_at);
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(new Set(seen.keys())).toEqual(new Set(ids));
    });

    it('are listed only if they changed after the requested time', async () => {
      const { tool, world, call } = await begin();
      const { list_id } = world.place;
      world.person.createTask('Before');
      const last = await tool.createTask(call, list_id, draft());
      // Some tools have whole seconds only, and include the second of `since`.
      await sleep(1_100);
      const changed = world.person.createTask('After');
      const since = new Date(Date.parse(last.updated_at) + 1).toISOString();
      expect((await tool.listChanged(call, list_id, since)).tasks.map(({ id }) => id)).toEqual([changed]);
      expect((await tool.listChanged(call, list_id, '2099-01-01T00:00:00.000Z')).tasks).toEqual([]);
    });

    it('are found by their marker after the response to their creation was lost', async () => {
      const { tool, world, call } = await begin();
      const { list_id } = world.place;
      const begun = new Date().toISOString();
      await tool.createTask(
        call,
        list_id,
        draft({
          description: { text: 'As in ACME-0001: https://acme.tandem.test/tickets/7f3c', lines: [{ label: 'Ticket', text: 'ACME-0009' }] },
        }),
      );
      world.loseAnswer();
      await expect(tool.createTask(call, list_id, draft())).rejects.toMatchObject({ name: 'ToolError', problem: 'unreachable' });
      for (const marker of ['ACME-0001', 'https://acme.tandem.test/tickets/7f3c'])
        expect(await tool.findTask(call, list_id, marker, begun)).toMatchObject({ description: 'The page stays white.', list_id });
      const ahead = new Date(Date.now() + 10 * 60_000).toISOString();
      expect(await tool.findTask(call, list_id, 'ACME-0001', ahead)).toBeDefined();
      expect(await tool.findTask(call, list_id, 'ACME-0002', begun)).toBeUndefined();
      expect(world.countTasks()).toBe(2);
    });

    it('keep the text below our lines when a description is rewritten', async () => {
      const { tool, world, call } = await begin();
      const { lines } = draft().description;
      let task = await tool.createTask(call, world.place.list_id, draft());
      expect(task.below).toBeNull();
      for (const below of ['Call Grace first.\n\nTicket: and then', 'Call nobody.']) {
        const { task: written } = await tool.updateTask(call, task.id, { description: { text: 'First', lines, below } });
        expect(written).toMatchObject({ description: 'First', below });
        ({ task } = (await tool.updateTask(call, task.id, { description: { text: 'Second', lines, below: written?.below ?? '' } })) as {
          task: typeof task;
        });
        expect(await tool.getTask(call, task.id)).toMatchObject({ description: 'Second', below });
      }
      expect(await tool.findTask(call, world.place.list_id, 'ACME-0001', new Date().toISOString())).toBeDefined();
    });

    it('return bounded texts, regardless of their length', async () => {
      const { tool, world, call } = await begin();
      const id = world.person.createTask(`x${'😀'.repeat(1_000)}\ud83d\0`);
      expect((await tool.getTask(call, id)).title).toBe(`x${'😀'.repeat(499)}`);
      world.person.rename(id, 'Half \ud83d and \0 nothing');
      expect((await tool.getTask(call, id)).title).toBe('Half \ufffd and  nothing');
      const text = `x${'😀'.repeat(60_000)}`;
      const made = await tool.createTask(call, world.place.list_id, draft({ description: { text, lines: [] } }));
      expect(made.description).toBe(`x${'😀'.repeat(49_999)}`);
    });

    // The family emoji is one grapheme of 25 bytes; the second text has more bytes than characters.
    it.each(['👨‍👩‍👧‍👦', '漢', 'é', '#a '])(
      'contain as much of a long text as the tool accepts, cut between characters, with a link: %s',
      async (piece) => {
        const { tool, world, call } = await begin();
        const whole = 'https://acme.tandem.test/tickets/7f3c';
        const text = piece
          .repeat(Math.ceil(100_000 / piece.length))
          .slice(0, 100_000 - (100_000 % piece.length))
          .trim();
        const { lines } = draft().description;
        const holdsIt = ({ description }: { description: string | null }) => {
          if (description === text) return expect(fits(tool.written(text), tool.limits.description)).toBe(true);
          const [, beginning] = /^(.*)…\n\nFull text in Tandem: (?:https:\S+7f3c)$/s.exec(description ?? '') ?? [];
          expect(beginning?.length).toBeGreaterThan(10_000);
          expect(text.startsWith(beginning!)).toBe(true);
          expect(beginning!.length % piece.trimEnd().length === 0 || piece === '#a ').toBe(true);
          expect(isShortened(description)).toBe(true);
        };
        const made = await tool.createTask(call, world.place.list_id, draft({ description: { text, lines, whole } }));
        holdsIt(made);
        const below = 'Call Grace first.';
        const { task, refused } = await tool.updateTask(call, made.id, {
          description: { text: `${text}${piece}`.trim(), lines, whole, below },
        });
        expect(refused).toEqual([]);
        expect(task?.below).toBe(below);
        if (!fits(tool.written(text), tool.limits.description)) holdsIt(task!);
        expect(await tool.findTask(call, world.place.list_id, '/tickets/7f3c', new Date().toISOString())).toBeDefined();
      },
    );

    it('have a title that fits', async () => {
      const { tool, world, call } = await begin();
      const title = '👍🏽'.repeat(200);
      const made = await tool.createTask(call, world.place.list_id, draft({ title }));
      expect(made.title === title || /^(?:👍🏽){100,}…$/u.test(made.title)).toBe(true);
    });

    it('are recognized by their own URLs only', async () => {
      const { tool, world, call } = await begin();
      const task = await tool.createTask(call, world.place.list_id, draft());
      // A URL may contain another id of the task: the task that is returned has the canonical one.
      expect((await tool.getTask(call, tool.taskIdOf(task.url) ?? '')).id).toBe(task.id);
      expect(tool.taskIdOf(` ${task.id} `)).toBe(task.id);
      for (const typed of ['', 'hello world', 'https://evil.test/t/86abc', 'javascript:alert(1)', '../86abc', '/'])
        expect(tool.taskIdOf(typed)).toBeUndefined();
    });
  });
}
