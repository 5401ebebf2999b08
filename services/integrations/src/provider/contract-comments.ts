import { draft, longAgo } from './contract-tasks';
import { fits } from './fit';
import type { Begin } from './contract-world';

export function describeComments(begin: Begin) {
  describe('comments', () => {
    it('are posted unchanged and listed with their author, the latest first', async () => {
      const { tool, world, call } = await begin();
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      const text = 'First *line* <b>\nsecond @everybody #1\n- **bold** [a](https://a.example)\n![p.png](p.png)';
      const sent = await tool.addComment(call, id, text);
      world.person.comment(id, 'From the other side');
      const comments = await tool.listComments(call, id, longAgo);
      expect(comments.map((comment) => comment.text)).toEqual(['From the other side', text]);
      expect(comments[1]?.id).toBe(sent.id);
      expect(comments[1]?.author.id).toBe((await tool.whoAmI(call)).id);
      expect(comments[0]?.author).toMatchObject({ id: world.member.id, name: expect.stringMatching(/./) as string });
      expect(Date.parse(comments[0]?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
    });

    it('that are longer than the tool accepts end with a link and their marker', async () => {
      const { tool, world, call } = await begin();
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      const ending = { line: '— via Tandem · ACME-0001 · c3f9a1b2', whole: 'https://acme.tandem.test/tickets/7f3c' };
      await tool.addComment(call, id, 'Short', ending);
      await tool.addComment(call, id, '[long] '.repeat(14_000), ending);
      const [long, short] = await tool.listComments(call, id, longAgo);
      expect(short?.text).toBe(`Short\n\n${ending.line}`);
      expect(long?.text.endsWith(`\n\n${ending.line}`)).toBe(true);
      const isCut = long!.text.includes(`…\n\nFull text in Tandem: ${ending.whole}\n`);
      expect(isCut).toBe(!fits(tool.written('[long] '.repeat(14_000)), tool.limits.comment));
    });

    it('are listed over several pages, at most a hundred, none older than requested', async () => {
      const { tool, world, call } = await begin();
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      for (let i = 0; i < 130; i++) world.person.comment(id, `Comment ${i}`);
      const comments = await tool.listComments(call, id, longAgo);
      expect(comments.map(({ text }) => text)).toEqual(Array.from({ length: 100 }, (_, i) => `Comment ${129 - i}`));
      const at = comments[40]?.at ?? '';
      for (const comment of await tool.listComments(call, id, at)) expect(comment.at >= at).toBe(true);
      expect(await tool.listComments(call, id, '2099-01-01T00:00:00.000Z')).toEqual([]);
    });
  });
}
