import type { FaultEffect, Faults } from '../faults';
import type { Outcome, SandboxAnswer, SandboxRequest } from '../http';
import { RateLimit } from '../rate-limit';
import type { RequestLog } from '../request-log';
import { ClickUpError } from './errors';
import type { RequestCheck } from './request-check';
import { asAnswer, type Components, type Route, routeOf } from './route';
import { clickUpRoutes } from './routes';

/** A request that violates ClickUp's API. */
export interface Violation {
  method: string;
  path: string;
  message: string;
}

export interface ApiOptions {
  check: RequestCheck;
  faults: Faults;
  log: RequestLog;
  rateLimitPerMinute: number;
  timeScale: number;
}

const KEPT_VIOLATIONS = 1000;

/** Handles requests below `/api/v2`: applies faults, then checks the token, its rate limit and the request's shape, then runs the route. */
export class Api {
  readonly violations: Violation[] = [];
  private readonly routes: Route[];
  private readonly rate: RateLimit;

  constructor(
    private readonly components: Components,
    private readonly options: ApiOptions,
  ) {
    this.routes = clickUpRoutes(components);
    this.rate = new RateLimit({ limit: options.rateLimitPerMinute, timeScale: options.timeScale });
  }

  get validatedBy(): 'clickup-openapi' | 'own-schemas' {
    return this.options.check.source.name;
  }

  clear(): void {
    this.violations.length = 0;
    this.rate.clear();
  }

  async handle(request: SandboxRequest): Promise<Outcome> {
    const { method, url } = request;
    const path = url.pathname.slice('/api'.length);
    const at = Date.now();
    const violation = this.violation(request, path);
    const effect = this.options.faults.take(method, path);
    const outcome = await this.outcome(request, path, violation, effect);
    const route = path === '/v2/oauth/token' ? path : routeOf(this.routes, method, path)?.route.path;
    const { authorization } = request.headers;
    const status = typeof outcome === 'string' ? 0 : outcome.status;
    this.options.log.add({ method, path: path + url.search, route, authorization, status, at });
    return outcome;
  }

  private async outcome(request: SandboxRequest, path: string, violation: string | undefined, effect?: FaultEffect): Promise<Outcome> {
    if (effect?.kind === 'answer') return effect.answer;
    if (effect?.kind === 'hang' || effect?.kind === 'disconnect') return effect.kind;
    if (effect?.kind === 'late') await new Promise((resolve) => setTimeout(resolve, effect.ms));
    const answer = this.answer(request, path, violation);
    if (effect?.kind === 'lose-answer') return 'disconnect';
    if (effect?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, effect.ms));
    return answer;
  }

  private answer(request: SandboxRequest, path: string, violation: string | undefined): SandboxAnswer {
    let headers: Record<string, string> = {};
    try {
      if (request.method === 'POST' && path === '/v2/oauth/token') return this.exchange(request, violation);
      const token = this.components.access.token(request.headers.authorization);
      const rate = this.rate.take(token.token, Date.now());
      headers = rate.headers;
      if (!rate.allowed) throw new ClickUpError(429, 'APP_002', 'Rate limit reached');
      if (violation) throw refused(violation);
      const found = routeOf(this.routes, request.method, path);
      if (!found) throw new ClickUpError(404, 'SANDBOX_ROUTE', 'Not a call that this sandbox knows');
      const { world } = this.components;
      const call = { token, user: world.user(token.user_id), params: found.params, query: request.url.searchParams, body: bodyOf(request) };
      return { ...asAnswer(found.route.handle(call)), headers };
    } catch (error) {
      if (!(error instanceof ClickUpError)) throw error;
      return { status: error.status, body: error.body, headers };
    }
  }

  private exchange(request: SandboxRequest, violation: string | undefined): SandboxAnswer {
    if (violation) throw refused(violation);
    const { token } = this.components.access.exchange(bodyOf(request) as { client_id: string; client_secret: string; code: string });
    return { status: 200, body: { access_token: token, token_type: 'Bearer' } };
  }

  private violation(request: SandboxRequest, path: string): string | undefined {
    const message = this.options.check.fault(request, path);
    if (message === undefined) return undefined;
    if (this.violations.length < KEPT_VIOLATIONS)
      this.violations.push({ method: request.method, path: path + request.url.search, message });
    return message;
  }
}

/** ClickUp's error codes for the violations that have one. */
function refused(violation: string): ClickUpError {
  if (/^body must have required property 'name'|^body\/name /.test(violation))
    return new ClickUpError(400, 'INPUT_005', 'Task name invalid');
  if (violation.startsWith('body/due_date')) return new ClickUpError(400, 'INPUT_006', 'Due date invalid');
  if (violation.startsWith('path list_id')) return new ClickUpError(400, 'INPUT_003', 'List ID invalid');
  if (violation.startsWith('path folder_id')) return new ClickUpError(400, 'INPUT_011', 'Folder ID invalid');
  return new ClickUpError(400, 'SANDBOX_INPUT', violation);
}

/** The shape has been checked already; a call without a body has none. */
function bodyOf({ body }: SandboxRequest): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
