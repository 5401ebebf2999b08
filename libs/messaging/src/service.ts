import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type BeforeApplicationShutdown,
  type Provider,
  type Type,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { JobType, ServiceName } from '@tandem/contracts';
import { Database } from '@tandem/db';
import {
  createLogger,
  Secrets,
  serviceConfig,
  type Logger,
  type ReadinessCheck,
  type ServiceConfig,
  type ServiceDefinition,
} from '@tandem/platform';
import * as z from 'zod';
import { eventConsumers, type ConsumerMetadata } from './events/consumes';
import { DataVersions, versionedOwners } from './rpc/data-versions';
import { OperationRunner } from './rpc/handles';
import { JetStreamStrategy } from './events/jetstream';
import { Jobs, jobSweeps, jobHandlers, type JobHandlerMetadata } from './jobs/jobs';
import { findDecoratedMethods } from './method-metadata';
import { KeyCheck } from './missing-keys';
import { operatorController, WorkOfService } from './operator-state';
import { Nats } from './events/nats';
import { OutboxRelay } from './events/relay';
import { Workers } from './jobs/workers';
import { watchService } from './service-metrics';
import { count } from './spans';

/** Variables that every service reads in addition to the platform's. */
export const messagingVariables = {
  SWEEP_MS: z.coerce
    .number()
    .int()
    .min(50)
    .max(3_600_000)
    .default(30_000)
    .describe('Interval between sweeps for pending rows without a job, in milliseconds'),
  OUTBOX_KEEP_DAYS: z.coerce.number().int().min(1).max(29).default(7).describe('How long published events stay in the outbox, in days'),
};
type MessagingConfig = ServiceConfig & z.infer<z.ZodObject<typeof messagingVariables>>;

/** A service, and the variables it reads in addition to the platform's (for `.env.example`). */
export interface DefinedService<C extends ServiceConfig> extends ServiceDefinition<C> {
  variables: z.ZodRawShape;
}

export interface ServiceParts<X extends z.ZodRawShape> {
  name: ServiceName;
  /**
   * Minimum time between two batches of published events, in milliseconds. For services whose events are not urgent: they publish many at
   * once. Default 0.
   */
  publishIntervalMs?: number;
  /** Maximum size of a request body; default 1 MiB. */
  bodyLimitBytes?: number;
  /** The service's own variables, each with a `describe`d sentence. */
  variables?: X;
  /** Classes that implement operations. */
  controllers: Type[];
  /** All other classes: consumers, workers, their dependencies. A class that implements operations becomes a controller automatically. */
  providers(config: ServiceConfig & z.infer<z.ZodObject<X>>): (Type | Provider)[];
}

/**
 * Defines a service as one Nest module: its classes, and for injection `Database`, `Jobs`, `Secrets`, the logger ('LOG') and the
 * configuration ('CONFIG'). Depending on RUN it handles requests (http), publishes and consumes events (events), runs jobs and
 * sweeps (jobs). It starts and serves requests while NATS or Redis are down, and closes its connections with the application.
 */
export function defineService<X extends z.ZodRawShape = {}>(
  parts: ServiceParts<X>,
): DefinedService<ServiceConfig & z.infer<z.ZodObject<X>>> {
  type Config = ServiceConfig & z.infer<z.ZodObject<X>>;
  return {
    name: parts.name,
    bodyLimitBytes: parts.bodyLimitBytes,
    variables: { ...messagingVariables, ...parts.variables },
    config: (env) => serviceConfig(parts.name, { ...messagingVariables, ...parts.variables }, env) as unknown as Config,
    module: (config) => moduleOf(parts, config),
    prepare: async (app) => {
      app.get(Runtime).attach(app);
      await app.get(KeyCheck).atStart();
    },
    startJobs: (app) => app.get(Runtime).startJobs(),
    ready: (app) => app.get(Runtime).checks(),
  };
}

function moduleOf<X extends z.ZodRawShape>(parts: ServiceParts<X>, config: ServiceConfig & z.infer<z.ZodObject<X>>): DynamicModule {
  const log = createLogger(parts.name, config.LOG_LEVEL);
  const { controllers, providers } = controllersAndProviders(
    [...parts.controllers, operatorController(parts.name)],
    parts.providers(config),
  );
  const { OUTBOX_KEEP_DAYS: keepDays } = config as unknown as MessagingConfig;
  const onError = (what: string, error: unknown) => log.warn({ err: error }, what);
  const databaseOf = (versions: DataVersions) =>
    new Database({
      url: config.DATABASE_URL!,
      applicationName: parts.name,
      onError,
      onFull: () => count('tandem_database_full_total', { process: parts.name }),
      // Without this, commits need not detect whether they have written.
      ...(versionedOwners.has(parts.name) ? { afterTenantWrite: (organization_id: string) => versions.renew(organization_id) } : {}),
    });
  return {
    module: ServiceModule,
    imports: [DiscoveryModule],
    controllers: config.RUN.includes('http') ? controllers : [],
    providers: [
      { provide: 'CONFIG', useValue: config },
      { provide: 'LOG', useValue: log },
      { provide: DataVersions, useFactory: () => new DataVersions(config, log) },
      { provide: Database, useFactory: (versions: DataVersions) => databaseOf(versions), inject: [DataVersions] },
      { provide: Secrets, useFactory: () => new Secrets(config.ENCRYPTION_KEYS) },
      {
        provide: KeyCheck,
        useFactory: (db: Database, secrets: Secrets) => new KeyCheck(db, secrets, log),
        inject: [Database, Secrets],
      },
      { provide: Nats, useFactory: () => new Nats(config, parts.name, log) },
      { provide: Jobs, useFactory: () => new Jobs(config, log) },
      {
        provide: OutboxRelay,
        useFactory: (db: Database, nats: Nats) => new OutboxRelay(db, nats, log, { keepDays, intervalMs: parts.publishIntervalMs }),
        inject: [Database, Nats],
      },
      OperationRunner,
      WorkOfService,
      Runtime,
      ...providers,
    ],
  };
}

@Module({})
class ServiceModule {}

/**
 * Nest injects providers only, and routes to controllers only. So a class that implements operations becomes a controller wherever
 * it was listed, and also a provider if it was listed as one or another class has it in its constructor.
 */
export function controllersAndProviders(
  listed: Type[],
  provided: (Type | Provider)[],
): { controllers: Type[]; providers: (Type | Provider)[] } {
  const answers = (type: Type) =>
    Reflect.getMetadata('__controller__', type) !== undefined &&
    Object.getOwnPropertyNames(type.prototype).some((name) => handles(type, name));
  const classes = provided.filter((provider): provider is Type => typeof provider === 'function');
  const all = new Set([...listed, ...classes]);
  const injected = new Set([...all].flatMap((type) => (Reflect.getMetadata('design:paramtypes', type) as unknown[] | undefined) ?? []));
  const controllers = [...all].filter(answers);
  const providers = [...all].filter((type) => !answers(type) || injected.has(type) || provided.includes(type));
  return { controllers, providers: [...providers, ...provided.filter((provider) => typeof provider !== 'function')] };
}

function handles(type: Type, name: string): boolean {
  const value = Object.getOwnPropertyDescriptor(type.prototype, name)?.value as unknown;
  // Set by `@Handles` and by Nest's own route decorators (for bodies that are not JSON).
  return typeof value === 'function' && Reflect.hasMetadata('path', value);
}

/** Starts and stops, in the right order, the parts of a service that do not handle requests: relay, consumers, workers. */
class Runtime implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  #app: NestFastifyApplication | undefined;
  #workers: Workers | undefined;
  #strategy: JetStreamStrategy | undefined;
  #unwatch: (() => void) | undefined;

  // Eight dependencies to start, check and stop, two to find the methods, and one for what was found. More would mean that it does too much.
  constructor(
    @Inject('CONFIG') private readonly config: MessagingConfig,
    @Inject('LOG') private readonly log: Logger,
    @Inject(Database) private readonly db: Database,
    @Inject(Nats) private readonly nats: Nats,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(DataVersions) private readonly versions: DataVersions,
    @Inject(KeyCheck) private readonly keys: KeyCheck,
    @Inject(OutboxRelay) private readonly relay: OutboxRelay,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(WorkOfService) private readonly work: WorkOfService,
  ) {}

  /** Before the application is initialized: finds the decorated methods, and connects the transport to Nest. */
  attach(app: NestFastifyApplication): void {
    this.#app = app;
    const strategy = new JetStreamStrategy(this.config.name, this.db, this.nats, this.log);
    for (const method of findDecoratedMethods<ConsumerMetadata>(eventConsumers, this.discovery, this.scanner)) strategy.add(method);
    const handlers = findDecoratedMethods<JobHandlerMetadata>(jobHandlers, this.discovery, this.scanner);
    const sweeps = findDecoratedMethods<JobType>(jobSweeps, this.discovery, this.scanner);
    const workers = new Workers(this.config, this.jobs, handlers, sweeps, this.log);
    this.work.current = { durables: strategy.durables, queues: workers.queues, backoffOf: (type) => workers.backoffOf(type) };
    if (this.config.RUN.includes('events')) {
      app.connectMicroservice({ strategy });
      this.#strategy = strategy;
    }
    if (this.config.RUN.includes('jobs')) this.#workers = workers;
  }

  checks(): ReadinessCheck[] {
    return [
      { name: 'postgres', check: () => this.db.ping() },
      { name: 'encryption_keys', check: () => this.keys.passed() },
      // Events wait in the outbox and jobs in their rows, so a service works without NATS or Redis.
      { name: 'nats', check: () => this.nats.check(), essential: false },
      { name: 'redis', check: () => this.jobs.check(), essential: false },
    ];
  }

  /** Runs once every provider is initialized: a consumer must not use a class that is not. */
  async onApplicationBootstrap(): Promise<void> {
    // Nats logs its connection errors and retries without limit. Every service connects, because readiness reports NATS.
    this.nats.connected().catch((error: unknown) => this.log.debug({ err: error }, 'NATS'));
    this.jobs.open();
    await this.#app?.startAllMicroservices();
    if (this.#strategy) this.relay.start();
    else this.relay.startHints();
    const { db, nats, jobs } = this;
    this.#unwatch = watchService({ process: this.config.name, db, nats, jobs, durables: this.#strategy?.durables, workers: this.#workers });
  }

  startJobs(): void {
    this.#workers?.start();
  }

  /** Stops starting jobs while requests still finish. (Nest closes the transport between this hook and the next.) */
  async beforeApplicationShutdown(): Promise<void> {
    this.#unwatch?.();
    await this.#workers?.close();
  }

  /** After all handlers have finished: publishes their events if possible, then closes the connections. */
  async onApplicationShutdown(): Promise<void> {
    await this.relay.close();
    await this.nats.close();
    await this.jobs.close();
    await this.db.close();
    this.versions.close();
  }
}
