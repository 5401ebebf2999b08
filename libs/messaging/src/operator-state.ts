import { Controller, Inject, type Type } from '@nestjs/common';
import {
  AppError,
  Envelope,
  operationsOfServices,
  type Context,
  type DeadLetterSummary,
  type InputOf,
  type OperationsOfService,
  type ServiceName,
  type ServiceState,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { discardDeadLetter, listDeadLetters, replayDeadLetters, type DeadLetter } from './events/dead-letters';
import { measureLag, type ConsumedDurable } from './events/durables';
import { Nats } from './events/nats';
import { Jobs } from './jobs/jobs';
import { Handles } from './rpc/handles';
import { countDeadLetters, deadLetterConsumers, oldestUnpublishedSeconds } from './service-metrics';

declare const __VERSION__: string;

/** The durables and queues of a service, also in a process that only answers requests. */
export interface ServiceWork {
  durables: readonly ConsumedDurable[];
  queues: readonly string[];
  backoffOf: (type: string) => readonly number[];
}

/** Provides the service's `ServiceWork`, which is known once its classes were found. */
export class WorkOfService {
  current: ServiceWork = { durables: [], queues: [], backoffOf: () => [] };
}

const maxListed = 100;
const maxErrorLength = 500;

/** What operators see and do in a service (`/operator`). */
export function operatorController(service: ServiceName): Type {
  const operations = operationsOfServices[service];

  class OperatorState {
    constructor(
      readonly db: Database,
      readonly nats: Nats,
      readonly jobs: Jobs,
      readonly work: WorkOfService,
    ) {}

    async readState(): Promise<ServiceState> {
      const { durables } = this.work.current;
      const [outbox_oldest_seconds, letters, consumers, queues] = await Promise.all([
        oldestUnpublishedSeconds(this.db),
        countDeadLetters(this.db, deadLetterConsumers(this.nats, durables)),
        this.consumers(),
        this.queues(),
      ]);
      const { used, max, waiting } = this.db.connections;
      return {
        version: typeof __VERSION__ === 'string' ? __VERSION__ : 'development',
        outbox_oldest_seconds,
        connections: { used, max, waiting },
        dead_letters: letters.reduce((sum, { value }) => sum + value, 0),
        consumers,
        queues,
      };
    }

    async listDeadLetters(): Promise<DeadLetterSummary[]> {
      return (await listDeadLetters(this.db)).slice(0, maxListed).map(summaryOf);
    }

    async replayDeadLetter(_ctx: Context, { params }: InputOf<OperationsOfService['replayDeadLetter']>): Promise<object> {
      const letter = (await listDeadLetters(this.db)).find(({ id }) => id === params.id);
      if (!letter) throw new AppError('dead_letter.not_found');
      const { replayed, tooLarge } = await replayDeadLetters(this.db, this.nats, params.id);
      if (tooLarge > 0) throw new AppError('dead_letter.too_large');
      if (replayed === 0) throw new AppError('dead_letter.not_an_event');
      return {};
    }

    async discardDeadLetter(_ctx: Context, { params }: InputOf<OperationsOfService['discardDeadLetter']>): Promise<object> {
      if (!(await discardDeadLetter(this.db, params.id))) throw new AppError('dead_letter.not_found');
      return {};
    }

    private async consumers(): Promise<ServiceState['consumers']> {
      if (!this.nats.up) return null;
      const lags = await measureLag(this.nats, this.work.current.durables).catch(() => undefined);
      return (
        lags
          ?.filter(({ pending, unacknowledged }) => pending + unacknowledged > 0)
          .map(({ oldestSeconds, ...lag }) => ({ ...lag, oldest_seconds: oldestSeconds })) ?? null
      );
    }

    private async queues(): Promise<ServiceState['queues']> {
      const { queues, backoffOf } = this.work.current;
      const states = await Promise.all(queues.map((name) => this.jobs.measure(name, backoffOf))).catch(() => undefined);
      if (!states) return null;
      return states.map(({ waiting, active, delayed, waitingSince }, i) => ({
        name: queues[i]!,
        waiting,
        active,
        delayed,
        oldest_seconds: waitingSince === undefined ? 0 : Math.max(0, Date.now() - waitingSince) / 1000,
      }));
    }
  }

  // Decorators cannot be written in the class, because its operations depend on the service.
  const prototype = OperatorState.prototype as object;
  for (const name of Object.keys(operations) as (keyof OperationsOfService)[]) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
    (Handles(operations[name]) as MethodDecorator)(prototype, name, descriptor);
  }
  for (const [i, dependency] of [Database, Nats, Jobs, WorkOfService].entries()) Inject(dependency)(OperatorState, undefined, i);
  Controller()(OperatorState);
  return OperatorState;
}

function summaryOf({ id, consumer, envelope, error, attempts, created_at }: DeadLetter): DeadLetterSummary {
  const event = Envelope.safeParse(envelope);
  return {
    id,
    consumer,
    event_type: event.success ? event.data.type : null,
    organization_id: event.success ? event.data.organizationid : null,
    error: error.split('\n')[0]!.slice(0, maxErrorLength),
    attempts,
    created_at,
  };
}
