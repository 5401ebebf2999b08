import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeTaskTool } from '../task-tool.contract';
import { clickup } from './clickup';

// The signature vector of ClickUp's own documentation.
const body = Buffer.from('{"webhook_id":"7689a169-a000-4985-8676-6902b96d6627","event":"taskCreated","task_id":"c0j"}');
const signature = '4830bf524f6e29a3e8da953936c6f21c1fea2b9669b825d3e1be293ef3416c8c';

describeTaskTool({ tool: clickup, secret: 'secret', webhook: { headers: { 'x-signature': signature }, body }, task_id: 'c0j' });

// ClickUp's documented bodies are read from beside the project and never copied into it: a clone without them has the vector above.
const folder = process.env.CLICKUP_PAYLOADS ?? join(__dirname, '../../../../../../shared/facts/clickup/webhook-payloads');
const samples = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

if (samples.length > 0) {
  describe('ClickUp’s documented webhooks', () => {
    it.each(samples)('%s is read', (sample) => {
      const { body: documented } = JSON.parse(readFileSync(join(folder, sample), 'utf8')) as { body: { event: string; task_id?: string } };
      expect(clickup.readWebhook(Buffer.from(JSON.stringify(documented)))).toEqual([
        { event: documented.event, task_id: documented.task_id ?? null },
      ]);
    });
  });
}
