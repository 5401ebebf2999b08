import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAll, reached, start } from '../test/sample-service';

afterAll(closeAll);

/** A grace period beyond the time limit of a test. */
const unreachableMs = '600000';

interface Answer {
  status: number;
  leave: boolean;
}
function get(url: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent }, (response: IncomingMessage) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, leave: response.headers.connection === 'close' }));
    });
    request.on('error', reject);
    request.end();
  });
}

describe('close', () => {
  it('interrupts no request under keep-alive load, ends soon, and closes dependencies last', async () => {
    // Long enough for requests to arrive during the notice period, even on a busy machine.
    const service = await start({ SHUTDOWN_NOTICE_MS: '1500', SHUTDOWN_GRACE_MS: unreachableMs });
    let answered = 0;
    // Like a load balancer: each client has one busy connection, and closes it when the response has `Connection: close`.
    const client = async (path: string) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const { status, leave } = await get(service.url + path, agent);
        expect(status).toBe(200);
        answered += 1;
        if (leave) return agent.destroy();
      }
    };
    const load = [
      ...Array.from({ length: 20 }, () => client('/slow/5')),
      ...Array.from({ length: 5 }, () => client('/slow/400')),
      client('/slow/900'),
    ];
    while (answered <= 100) await sleep(10);
    const closed = service.close();
    const ready = await fetch(`${service.url}/health/ready`, { headers: { connection: 'close' } });
    expect([ready.status, ((await ready.json()) as { status: string }).status]).toEqual([503, 'draining']);
    await Promise.all(load);
    await closed;
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
  });

  it('does not wait for idle connections', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: unreachableMs });
    const idle = connect(Number(new URL(service.url).port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const agent = new Agent({ keepAlive: true });
    await get(`${service.url}/things/1`, agent);
    await service.close();
    agent.destroy();
    idle.destroy();
  });

  it('interrupts requests that outlive the grace period', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '100' });
    const before = reached.slow;
    const cut = get(`${service.url}/slow/3000`, new Agent()).catch((error: Error) => error.message);
    while (reached.slow === before) await sleep(5);
    await service.close();
    expect(await cut).toMatch(/hang up|ECONNRESET/);
  });

  it('signals endless responses to end', async () => {
    const service = await start();
    const before = reached.untilDrained;
    const endless = get(`${service.url}/until-drained`, new Agent());
    while (reached.untilDrained === before) await sleep(5);
    await Promise.all([service.close(), service.close()]);
    expect(await endless).toMatchObject({ status: 200, leave: true });
  });
});
