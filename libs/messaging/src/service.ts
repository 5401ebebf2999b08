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
import { consumesKind, type Consuming } from './consumes';
import { AllowGuard, OperationInterceptor } from './handles';
import { JetStreamStrategy } from './jetstream';
import { Jobs, sweepsKind, worksKind, type Working } from './jobs';
import { findMarked } from './marks';
import { Nats } from './nats';
import { OutboxRelay } from './relay';
import { Workers } from './workers';

/** What every service configures beside the platform's variables. */
export const messagingVariables = {
  SWEEP_MS: z.coerce
    .number()
    .int()
    .min(50)
    .max(3_600_000)
    .default(30_000)
    .describe('How often pending rows without a job are looked for, in milliseconds'),
  OUTBOX_KEEP_DAYS: z.coerce.number().int().min(1).max(29).default(7).describe('How long published events stay in the outbox, in days'),
};
type MessagingConfig = ServiceConfig & z.infer<z.ZodObject<typeof messagingVariables>>;

/** A service, and the variables it reads beside the platform's (for `.env.example`). */
export interface DefinedService<C extends ServiceConfig> extends ServiceDefinition<C> {
  variables: z.ZodRawShape;
}

export interface ServiceParts<X extends z.ZodRawShape> {
  name: ServiceName;
  /** The largest body it takes; 1 MiB unless said. */
  bodyLimitBytes?: number;
  /** Variables of its own, each with a `describe`d sentence. */
  variables?: X;
  /** Classes that answer operations. */
  controllers: Type[];
  /** Everything else: consumers, workers, what they are injected with. A class that answers operations becomes a controller by itself. */
  providers(config: ServiceConfig & z.infer<z.ZodObject<X>>): (Type | Provider)[];
}

/**
 * A service as one Nest module: its classes, and by injection `Database`, `Jobs`, `Secrets`, the logger ('LOG') and the
 * configuration ('CONFIG'). By RUN it answers operations (http), publishes and consumes events (events), works on jobs and
 * sweeps (jobs). It starts and answers while NATS or Redis are away. What it opens it closes with the application.
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
    prepare: async (app) => app.get(Runtime).attach(app),
    ready: (app) => app.get(Runtime).checks(),
  };
}

function moduleOf<X extends z.ZodRawShape>(parts: ServiceParts<X>, config: ServiceConfig & z.infer<z.ZodObject<X>>): DynamicModule {
  const log = createLogger(parts.name, config.LOG_LEVEL);
  const { controllers, providers } = placesOf(parts.controllers, parts.providers(config));
  const onError = (what: string, error: unknown) => log.warn({ err: error }, what);
  return {
    module: ServiceModule,
    imports: [DiscoveryModule],
    controllers: config.RUN.includes('http') ? controllers : [],
    providers: [
      { provide: 'CONFIG', useValue: config },
      { provide: 'LOG', useValue: log },
      { provide: Database, useFactory: () => new Database({ url: config.DATABASE_URL!, applicationName: parts.name, onError }) },
      { provide: Secrets, useFactory: () => new Secrets(config.ENCRYPTION_KEYS) },
      { provide: Nats, useFactory: () => new Nats(config, parts.name, log) },
      { provide: Jobs, useFactory: () => new Jobs(config, log) },
      AllowGuard,
      OperationInterceptor,
      Runtime,
      ...providers,
    ],
  };
}

@Module({})
class ServiceModule {}

/**
 * Nest injects providers only, and routes to controllers only. So a class that answers operations is a controller wherever
 * it was listed, and a provider too where it was listed as one or another class is constructed with it.
 */
export function placesOf(listed: Type[], provided: (Type | Provider)[]): { controllers: Type[]; providers: (Type | Provider)[] } {
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
  // By `@Handles`, or by a route of its own (bytes that are no JSON): both are Nest's.
  return typeof value === 'function' && Reflect.hasMetadata('path', value);
}

/** Starts and ends, in the right order, everything of a service that is not an answer to a request. */
class Runtime implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  #app: NestFastifyApplication | undefined;
  #relay: OutboxRelay | undefined;
  #workers: Workers | undefined;

  // Five that it starts and ends, and two to find the methods with: more would be a sign.
  constructor(
    @Inject('CONFIG') private readonly config: MessagingConfig,
    @Inject('LOG') private readonly log: Logger,
    @Inject(Database) private readonly db: Database,
    @Inject(Nats) private readonly nats: Nats,
    @Inject(Jobs) private readonly jobs: Jobs,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
  ) {}

  /** Before the application is initialized: finds the methods, and connects the transport to Nest. */
  attach(app: NestFastifyApplication): void {
    this.#app = app;
    if (this.config.RUN.includes('events')) {
      const strategy = new JetStreamStrategy(this.config.name, this.db, this.nats, this.log);
      for (const marked of findMarked<Consuming>(consumesKind, this.discovery, this.scanner)) strategy.add(marked);
      app.connectMicroservice({ strategy });
      this.#relay = new OutboxRelay(this.db, this.nats, this.log, { keepDays: this.config.OUTBOX_KEEP_DAYS });
    }
    if (this.config.RUN.includes('jobs')) {
      const works = findMarked<Working>(worksKind, this.discovery, this.scanner);
      const sweeps = findMarked<JobType>(sweepsKind, this.discovery, this.scanner);
      this.#workers = new Workers(this.config, this.jobs, works, sweeps, this.log);
    }
  }

  checks(): ReadinessCheck[] {
    return [
      { name: 'postgres', check: () => this.db.ping() },
      // Events wait in the outbox and jobs in their rows: without NATS or Redis a service still answers.
      { name: 'nats', check: () => this.nats.check(), essential: false },
      { name: 'redis', check: () => this.jobs.check(), essential: false },
    ];
  }

  /** Once every provider is initialized: a consumer must not meet a half-made class. */
  async onApplicationBootstrap(): Promise<void> {
    // Errors of the connection are told by Nats itself, which tries for ever; every service has one, for readiness.
    this.nats.connected().catch((error: unknown) => this.log.debug({ err: error }, 'NATS'));
    this.jobs.open();
    await this.#app?.startAllMicroservices();
    this.#relay?.start();
    this.#workers?.start();
  }

  /** While requests under way still end: no new jobs. (Nest closes the transport between this and the next.) */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#workers?.close();
  }

  /** Everything has ended: publish what it announced if that is possible now, then let go of the connections. */
  async onApplicationShutdown(): Promise<void> {
    await this.#relay?.close();
    await this.nats.close();
    await this.jobs.close();
    await this.db.close();
  }
}
