import { randomUUID } from 'node:crypto';
import { roles, streamChanges, streamEvents, type Operation } from '@tandem/contracts';
import { documentedOperations } from '../src/openapi/documented-operations';
import { startTestApp, type TestApp } from './test-app';

/** Their responses do not end; `ticket-lifecycle` and `changes` test who may subscribe. */
const endless: readonly Operation[] = [streamEvents, streamChanges];

/** The actual responses of the gateway and the services, for every operation and kind of caller. */
describe('permissions', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });

  it('match the reviewed snapshot for every operation and role', async () => {
    const organization_id = randomUUID();
    const callers = {
      anyone: () => app.browser(),
      'signed in': () => app.as(null, null),
      ...Object.fromEntries(roles.map((role) => [role, () => app.as(role, organization_id)])),
    };
    const rows: string[] = [];
    for (const op of documentedOperations) {
      if (endless.includes(op)) continue;
      const path = op.path.replace(/:\w+/g, () => randomUUID());
      const answers: string[] = [];
      for (const caller of Object.values(callers)) {
        const answer = await caller().send(op.method, path, op.method === 'GET' ? {} : { body: {} });
        answers.push(
          ['session.required', 'permission.denied', 'organization.required'].includes(answer.body.code ?? '') ? answer.body.code! : 'may',
        );
        expect(answer.status).toBeLessThan(500);
      }
      rows.push(
        `${op.method} ${op.path}: ${Object.keys(callers)
          .map((name, i) => `${name} ${answers[i]}`)
          .join(', ')}`,
      );
    }
    expect(rows).toMatchSnapshot();
  });
});
