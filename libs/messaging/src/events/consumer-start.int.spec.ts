import { Controller, Injectable } from '@nestjs/common';
import { event, type DataOf, type Envelope, type TenantContext } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { eventually, staff, startForTest, testEnv } from '@tandem/testing';
import * as z from 'zod';
import { Consumes, defineService, emit, listDeadLetters, Nats } from '..';
import type { AnyTx } from '../any-tx';
import { freshNotes } from '../../test/notes';

const agent = staff('agent');
const counted = event('count.raised', 'tickets', z.object({ n: z.number() }));
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What the consumers of all replicas have received, in order. */
let received: { consumer: string; n: number }[];

@Injectable()
class Projection {
  @Consumes(counted, { name: 'projection', from: 'beginning' })
  async onRaised(_ctx: TenantContext, { n }: DataOf<typeof counted>) {
    received.push({ consumer: 'projection', n });
  }
}

@Injectable()
class Notifier {
  @Consumes(counted, { name: 'notifier', from: 'now' })
  onRaised(_ctx: TenantContext, { n }: DataOf<typeof counted>, _tx: AnyTx, envelope: Envelope) {
    received.push({ consumer: 'notifier', n });
    if (envelope.subject === 'impossible') throw new Error('never');
  }
}

/** A controller without operations is still a provider of consumers. */
@Controller()
class InController {
  @Consumes(counted, { name: 'in-controller', from: 'beginning' })
  onRaised(_ctx: TenantContext, { n }: DataOf<typeof counted>) {
    received.push({ consumer: 'in-controller', n });
  }
}

@Injectable()
class SameName {
  @Consumes(counted, { name: 'projection', from: 'now' })
  onRaised() {}
}

const serviceWith = (...consumers: (new () => object)[]) => defineService({ name: 'tickets', controllers: [], providers: () => consumers });

describe('a consumer', () => {
  let env: Record<string, string | undefined>;
  beforeEach(async () => {
    received = [];
    env = await testEnv({ RUN: 'http,events', TICKETS_DATABASE_URL: await freshNotes() });
  });
  const start = async (...consumers: (new () => object)[]) => {
    const running = await startForTest(serviceWith(...consumers), env);
    const db = running.app.get<Database>(Database);
    const raise = (n: number, subject = newId()) => db.forTenant(agent, (tx) => emit(tx, agent, counted, subject, { n }));
    const allPublished = () =>
      eventually(async () => {
        const rows = await db.asSystem('look', (tx) => tx.selectFrom('outbox').select('id').where('published_at', 'is', null).execute());
        expect(rows).toEqual([]);
      });
    return { running, db, raise, allPublished };
  };
  const of = (consumer: string) => received.filter((each) => each.consumer === consumer).map(({ n }) => n);
  const connect = async () => {
    const { NATS_URL, NATS_STREAM, EVENTS_PREFIX } = env as Record<string, string>;
    const options = { NATS_URL: NATS_URL!, NATS_STREAM: NATS_STREAM!, EVENTS_PREFIX: EVENTS_PREFIX! };
    const nats = new Nats(options, 'test', createLogger('test', 'fatal'));
    return { nats, jsm: (await nats.connected()).jsm };
  };

  it('starts with the first event or with the next one, as it declares', async () => {
    const before = await start();
    await before.raise(1);
    await before.allPublished();
    await before.running.close();
    const after = await start(Projection, Notifier);
    await eventually(() => expect(of('projection')).toEqual([1]));
    await after.raise(2);
    await eventually(() => expect([of('projection'), of('notifier')]).toEqual([[1, 2], [2]]));
    await after.running.close();
  });

  it('continues after a restart where it stopped', async () => {
    const first = await start(Notifier);
    await first.raise(1);
    await eventually(() => expect(of('notifier')).toEqual([1]));
    await first.running.close();
    const between = await start();
    await between.raise(2);
    await between.allPublished();
    await between.running.close();
    const second = await start(Notifier);
    await eventually(() => expect(of('notifier')).toEqual([1, 2]));
    await second.running.close();
  });

  it('that loses its durable misses no event and repeats none', async () => {
    const { running, raise } = await start(Notifier);
    await raise(1);
    await eventually(() => expect(of('notifier')).toEqual([1]));
    const { nats, jsm } = await connect();
    await jsm.consumers.delete(nats.stream, 'tickets-notifier');
    await raise(2);
    await eventually(() => expect(of('notifier')).toEqual([1, 2]));
    await pause(300);
    expect(of('notifier')).toEqual([1, 2]);
    await nats.close();
    await running.close();
  });

  it('may be in a controller', async () => {
    const { running, raise } = await start(InController);
    await raise(1);
    await eventually(() => expect(of('in-controller')).toEqual([1]));
    await running.close();
  });

  it('needs a unique name', async () => {
    await expect(startForTest(serviceWith(Projection, SameName), env)).rejects.toThrow('Two consumers are named tickets-projection');
  });

  it('fails without affecting other consumers of the event', async () => {
    const { running, db, raise } = await start(Projection, Notifier);
    await raise(1, 'impossible');
    await eventually(() => expect(of('projection')).toEqual([1]));
    await eventually(() => expect(of('notifier').length).toBeGreaterThan(1));
    expect(of('projection')).toEqual([1]);
    expect(await listDeadLetters(db)).toEqual([]);
    await running.close();
  });

  it('does not run in a process that only handles requests', async () => {
    env = { ...env, RUN: 'http' };
    const { running, raise } = await start(Projection);
    await raise(1);
    await pause(500);
    expect(received).toEqual([]);
    await running.close();
  });
});
