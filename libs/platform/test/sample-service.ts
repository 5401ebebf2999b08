import { setTimeout as sleep } from 'node:timers/promises';
import { Body, Controller, Get, Injectable, Module, Param, Post, Req, type OnModuleDestroy } from '@nestjs/common';
import { AppError } from '@tandem/contracts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { serviceConfig, type Env, type ServiceConfig } from '../src/config';
import { Drain } from '../src/drain';
import { goodEnv } from './fixtures';
import { startService, type RunningService, type ServiceDefinition } from '../src/service';

@Injectable()
class Pool implements OnModuleDestroy {
  closed = false;
  onModuleDestroy() {
    this.closed = true;
  }
}

/** How many requests have reached each route that delays its response; tests wait for these counts instead of a fixed time. */
export const reached = { slow: 0, untilDrained: 0 };

@Controller()
class SampleController {
  constructor(
    private readonly pool: Pool,
    private readonly drain: Drain,
  ) {}

  @Post('/things')
  create(@Body() body: unknown) {
    return { body: z.strictObject({ name: z.string().max(20) }).parse(body) };
  }
  @Get('/things/:id')
  read(@Param('id') id: string, @Req() request: FastifyRequest) {
    return { id, request_id: request.id };
  }
  @Get('/slow/:milliseconds')
  async slow(@Param('milliseconds') milliseconds: string) {
    reached.slow += 1;
    await sleep(Number(milliseconds));
    if (this.pool.closed) throw new Error('The pool was closed under a running request');
    return { ok: true };
  }
  @Get('/fails/:how')
  fails(@Param('how') how: string) {
    if (how === 'known') throw new AppError('limit.exceeded', { retryAfterSeconds: 9 });
    if (how === 'away') throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    throw new Error('secret inside: hunter2');
  }
  @Get('/until-drained')
  async untilDrained() {
    reached.untilDrained += 1;
    await new Promise((resolve) => this.drain.signal.addEventListener('abort', resolve));
    return { ended: true };
  }
}

@Module({ controllers: [SampleController], providers: [Pool] })
class SampleModule {}

const definition: ServiceDefinition = {
  name: 'tickets',
  config: (env) => serviceConfig('tickets', {}, env),
  module: () => ({ module: SampleModule }),
};

const running: RunningService[] = [];
/** Starts a service of this library's tests in this process; `closeAll` closes every service that a test left running. */
export async function start(env: Env = {}, more: Partial<ServiceDefinition<ServiceConfig>> = {}): Promise<RunningService> {
  const service = await startService({ ...definition, ...more }, goodEnv(env));
  running.push(service);
  return service;
}
export const closeAll = () => Promise.all(running.map((service) => service.close()));
