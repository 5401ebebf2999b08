import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Injectable, Module, Param, Post } from '@nestjs/common';
import { AppError } from '@tandem/contracts';
import {
  Drain,
  injectTrace,
  runService,
  safeFetch,
  serviceConfig,
  withTrace,
  type ServiceConfig,
  type ServiceDefinition,
} from '../../../src';

@Injectable()
export class Clock {
  constructor(private readonly drain: Drain) {}
  now(): string {
    return this.drain.started ? 'late' : 'early';
  }
}

/** Injected by type only, which proves that the bundle kept the decorators' metadata. */
@Controller()
export class SampleController {
  constructor(private readonly clock: Clock) {}

  @Get('/clock')
  clockNow() {
    return { now: this.clock.now() };
  }
  @Get('/slow/:milliseconds')
  async slow(@Param('milliseconds') milliseconds: string) {
    await sleep(Number(milliseconds));
    return { waited: milliseconds };
  }
  @Get('/busy/:milliseconds')
  busy(@Param('milliseconds') milliseconds: string) {
    const end = Date.now() + Number(milliseconds);
    while (Date.now() < end);
    return { blocked: milliseconds };
  }
  @Get('/invitations/:token')
  invitation() {
    return withTrace(injectTrace(), 'look-up', async () => ({ traceparent: injectTrace() ?? null }));
  }
  @Get('/calls/:port')
  async call(@Param('port') port: string) {
    const answer = await safeFetch(`http://127.0.0.1:${port}/hooks/secret-of-a-customer`, { allowHttp: true, allowPrivate: true });
    return { status: answer.status };
  }
  @Post('/crash')
  crash() {
    setImmediate(() => {
      throw new Error('nobody catches this: postgres://tandem:hunter2-hunter2@db/x');
    });
    throw new AppError('ticket.not_found');
  }
}

@Module({ controllers: [SampleController], providers: [Clock] })
class SampleModule {}

/** The smallest possible process: process.int.spec.ts builds it and runs it as a container image would. */
export const sample: ServiceDefinition<ServiceConfig> = {
  name: 'tickets',
  config: (env) => serviceConfig('tickets', {}, env),
  module: () => ({ module: SampleModule }),
  startJobs: () => void process.stdout.write('Jobs have started\n'),
  ready: () => [{ name: 'sample', check: async () => undefined }],
};

runService(sample);
