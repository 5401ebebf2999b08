import { serviceNames } from '@tandem/contracts';
import { AccessChanges, ApiTokenChanges, LiveEvents, Services } from '@tandem/messaging';
import { createLogger, type Logger, type ReadinessCheck, type ServiceDefinition } from '@tandem/platform';
import type { DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PassportModule } from '@nestjs/passport';
import { getStorageToken, ThrottlerModule } from '@nestjs/throttler';
import { AnalyticsExportController } from './analytics/analytics-export.controller';
import { ApiTokenAuthentication } from './api-token/api-token-authentication';
import { ApiTokenController } from './api-token/api-token.controller';
import { ApiTokenRequestLog } from './api-token/api-token-request-log';
import { ApiTokenUses } from './api-token/api-token-uses';
import { KnownApiTokens } from './api-token/known-api-tokens';
import { AssetsController } from './assets/assets.controller';
import { AuditController } from './audit/audit.controller';
import { AccessTokens } from './auth/access-token';
import { AccountController } from './auth/account.controller';
import { ApiTokenGuard } from './auth/api-token.guard';
import { AllowGuard } from './auth/allow.guard';
import { SessionCookies } from './auth/cookies';
import { CsrfGuard, CsrfTokens } from './auth/csrf';
import { jwtStrategy } from './auth/jwt.strategy';
import { OidcBinding } from './auth/oidc-binding';
import { OidcController } from './auth/oidc.controller';
import { MembershipController } from './auth/membership.controller';
import { SessionController } from './auth/session.controller';
import { SessionGuard } from './auth/session.guard';
import { SessionWriter } from './auth/session-writer';
import { SignUpBinding } from './auth/sign-up-binding';
import { CertificateServer } from './certificate/certificate.server';
import { PortalHosts } from './certificate/portal-hosts';
import { ChallengeController } from './challenge/challenge.controller';
import { ChallengeGuard } from './challenge/challenge.guard';
import { Challenges } from './challenge/challenges';
import { ChangeStreams } from './changes/change-streams';
import { ChangesController } from './changes/changes.controller';
import { gatewayConfig, type GatewayConfig } from './config';
import { ArticlePictureController } from './files/article-picture.controller';
import { ExportFilesController } from './files/export-files.controller';
import { FilesController } from './files/files.controller';
import { ImportFilesController } from './files/import-files.controller';
import { OrganizationOfHost } from './host/organization-of-host';
import { OrganizationOfRequest } from './host/organization-of-request';
import { WidgetOfKey } from './host/widget-of-key';
import { prepareHttp } from './http';
import { LimitGuard, limitOf } from './limits/limit.guard';
import { limitTable } from './limits/limits';
import { LockOuts } from './limits/lock-outs';
import { LoginAttempts } from './limits/login-attempts';
import { RedisLimitStorage } from './limits/redis-limit-storage';
import { RefusalDelays } from './limits/refusal-delays';
import { EventStreams } from './live/event-streams';
import { LiveController } from './live/live.controller';
import { PresenceStore } from './live/presence';
import { StreamMetrics } from './live/stream-metrics';
import { TicketLiveController } from './live/ticket-live.controller';
import { TicketStreams } from './live/ticket-streams';
import { MailPageController } from './mail/mail-page.controller';
import { McpController } from './mcp/mcp.controller';
import { McpGuard } from './mcp/mcp.guard';
import { DocsController } from './openapi/docs.controller';
import { InstallationReader } from './operator/installation-reader';
import { OperatorController } from './operator/operator.controller';
import { KnownTags } from './routes/known-tags';
import { KnownTickets } from './routes/known-tickets';
import { forwardedOperations, OperationForwarder, operationRoutes } from './routes/operation-routes';
import { HelpPages } from './site/help-pages';
import { SiteController } from './site/site.controller';
import { TicketsCsvController } from './tickets-csv/tickets-csv.controller';
import { TicketPageController } from './ticket-page/ticket-page.controller';
import { SiteHosts } from './site/site-host';
import { WellKnownController } from './site/well-known.controller';
import { UnsubscribeController } from './unsubscribe/unsubscribe.controller';
import { TaskToolController } from './webhooks/task-tool.controller';
import { WidgetController } from './widget/widget.controller';

/** Does not wait for NATS: without live events, pages get changes when they reload their data. */
function startLiveEvents(config: GatewayConfig): LiveEvents {
  const live = new LiveEvents(config);
  live.start();
  return live;
}

/** Does not block startup; the process becomes ready once past access changes have been read, or after three seconds without NATS. */
function startAccessChanges(config: GatewayConfig): AccessChanges {
  const changes = new AccessChanges(config);
  changes.start();
  return changes;
}

/** Does not block startup: the cache of tokens is empty at first. */
function startApiTokenChanges(config: GatewayConfig): ApiTokenChanges {
  const changes = new ApiTokenChanges(config);
  changes.start();
  return changes;
}

/** One throttler per class of limit; `limits.ts` and the guard decide what is counted and how often. */
const throttlers = (config: GatewayConfig) =>
  Object.entries(limitTable(config)).map(([name, rules]) => {
    const rule = Object.values(rules)[0]!;
    return {
      name,
      limit: rule.limit,
      ttl: rule.windowSeconds * 1000,
      skipIf: (context: Parameters<typeof limitOf>[0]) => limitOf(context) !== name,
    };
  });

let gateways = 0;

function gatewayModule(config: GatewayConfig): DynamicModule {
  class GatewayModule {}
  const strategy = `access-cookie-${(gateways += 1)}`;
  // Guards run in this order: authentication, CSRF, permission, rate limit, proof of work.
  const guards = [McpGuard, ApiTokenGuard, SessionGuard, CsrfGuard, AllowGuard, LimitGuard, ChallengeGuard].map((guard) => ({
    provide: APP_GUARD,
    useClass: guard,
  }));
  const shared = [
    { provide: 'CONFIG', useValue: config },
    { provide: 'LIMITS', useValue: limitTable(config) },
    { provide: 'LOG', useValue: createLogger('gateway', config.LOG_LEVEL) },
  ];
  return {
    module: GatewayModule,
    global: true,
    imports: [PassportModule.register({ defaultStrategy: strategy, session: false }), ThrottlerModule.forRoot(throttlers(config))],
    controllers: [
      operationRoutes(forwardedOperations),
      SessionController,
      AccountController,
      OidcController,
      MembershipController,
      ApiTokenController,
      TaskToolController,
      LiveController,
      TicketLiveController,
      ChangesController,
      TicketPageController,
      AuditController,
      AnalyticsExportController,
      FilesController,
      ExportFilesController,
      TicketsCsvController,
      ImportFilesController,
      ArticlePictureController,
      AssetsController,
      MailPageController,
      ChallengeController,
      DocsController,
      WidgetController,
      UnsubscribeController,
      McpController,
      OperatorController,
      WellKnownController,
      SiteController,
    ],
    providers: [
      ...shared,
      ...guards,
      {
        provide: Services,
        useFactory: (changes: AccessChanges, storage: RedisLimitStorage) =>
          new Services(
            config,
            (change) => changes.apply(change),
            (owner, organization_id) => storage.renewVersion({ owner, organization_id }),
          ),
        inject: [AccessChanges, RedisLimitStorage],
      },
      { provide: LiveEvents, useFactory: () => startLiveEvents(config) },
      { provide: AccessChanges, useFactory: () => startAccessChanges(config) },
      { provide: ApiTokenChanges, useFactory: () => startApiTokenChanges(config) },
      {
        provide: KnownApiTokens,
        useFactory: (services: Services, changes: ApiTokenChanges) => new KnownApiTokens(services, changes),
        inject: [Services, ApiTokenChanges],
      },
      {
        provide: ApiTokenUses,
        useFactory: (services: Services, log: Logger) => new ApiTokenUses(services, log),
        inject: [Services, 'LOG'],
      },
      ApiTokenAuthentication,
      ApiTokenRequestLog,
      RedisLimitStorage,
      { provide: getStorageToken(), useExisting: RedisLimitStorage },
      LockOuts,
      RefusalDelays,
      LoginAttempts,
      AccessTokens,
      SessionCookies,
      CsrfTokens,
      SessionWriter,
      OidcBinding,
      SignUpBinding,
      jwtStrategy(strategy),
      OrganizationOfHost,
      WidgetOfKey,
      OrganizationOfRequest,
      SiteHosts,
      HelpPages,
      PortalHosts,
      CertificateServer,
      KnownTickets,
      KnownTags,
      InstallationReader,
      OperationForwarder,
      Challenges,
      EventStreams,
      TicketStreams,
      ChangeStreams,
      StreamMetrics,
      { provide: PresenceStore, useFactory: (log: Logger) => new PresenceStore(config, log), inject: ['LOG'] },
    ],
  };
}

/**
 * The gateway's dependencies. Without Redis, NATS or one service the gateway still serves the rest, so restarting it or removing it from
 * the load balancer would not help. A gateway whose signed context is refused by all services must not get requests: a rollout with a
 * wrong CONTEXT_SECRET then stops at its first replica.
 */
function dependencies(app: NestFastifyApplication): ReadinessCheck[] {
  const dependency = (name: string, check: () => Promise<void>): ReadinessCheck => ({
    name,
    check,
    essential: false,
  });
  return [
    ...serviceNames.map((name) => dependency(name, () => app.get(Services).check(name))),
    dependency('redis', () => app.get(RedisLimitStorage).check()),
    dependency('nats', () => app.get(LiveEvents).check()),
    { name: 'context', check: () => app.get(Services).checkContext() },
  ];
}

/** The only public entry point: REST, cookies, limits, live events, and the web app's files. */
export const gateway: ServiceDefinition<GatewayConfig> = {
  name: 'gateway',
  config: gatewayConfig,
  module: gatewayModule,
  prepare: prepareHttp,
  trustProxy: ({ TRUSTED_PROXIES }) =>
    TRUSTED_PROXIES.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ready: dependencies,
};
