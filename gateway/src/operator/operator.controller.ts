import {
  AppError,
  authorizeOperator,
  changePlan,
  countTicketsOfOrganizations,
  discardOneDeadLetter,
  listAllDeadLetters,
  listAllWaitingConnections,
  listInstallationOrganizations,
  listOperatorLog,
  listWaitingConnections,
  measureUseOfOrganizations,
  nameOrganizations,
  operationsOfServices,
  readOperations,
  readOperatorLog,
  replayOneDeadLetter,
  savePlan,
  searchOrganizations,
  serviceNames,
  systemContext,
  type Context,
  type InputOf,
  type OperatorAction,
  type ServiceName,
} from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import { Controller, Req, Res } from '@nestjs/common';
import { bodyOf } from '../auth/body';
import { contextOfCaller, type GatewayReply, type GatewayRequest } from '../request';
import { ForOperation } from '../routes/for-operation';
import { InstallationReader, orNull } from './installation-reader';

/** The operators page. Identity checks and records each request before anything is read. */
@Controller()
export class OperatorController {
  constructor(
    private readonly services: Services,
    private readonly installation: InstallationReader,
  ) {}

  @ForOperation(readOperations)
  async overview(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = await this.authorize(request, 'overview.viewed');
    await send(request, reply, await this.installation.read(ctx));
  }

  @ForOperation(listAllDeadLetters)
  async deadLetters(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = await this.authorize(request, 'dead_letters.viewed');
    const lists = await Promise.all(
      serviceNames.map(async (service) => {
        const letters = await orNull(this.services.call(operationsOfServices[service].listDeadLetters, ctx, {}));
        return (letters ?? []).map((letter) => ({ service, ...letter }));
      }),
    );
    await send(request, reply, lists.flat());
  }

  @ForOperation(replayOneDeadLetter)
  async replay(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { service, id } = await this.letterIn(request);
    const ctx = await this.authorize(request, 'dead_letter.replayed', `${service}/${id}`);
    await this.services.call(operationsOfServices[service].replayDeadLetter, ctx, { params: { id } });
    await send(request, reply, {});
  }

  @ForOperation(discardOneDeadLetter)
  async discard(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const { service, id } = await this.letterIn(request);
    const ctx = await this.authorize(request, 'dead_letter.discarded', `${service}/${id}`);
    await this.services.call(operationsOfServices[service].discardDeadLetter, ctx, { params: { id } });
    await send(request, reply, {});
  }

  @ForOperation(listAllWaitingConnections)
  async connections(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = await this.authorize(request, 'connections.viewed');
    const waiting = await this.services.call(listWaitingConnections, ctx, {});
    const ids = [...new Set(waiting.map(({ organization_id }) => organization_id))];
    const named = new Map((await this.services.call(nameOrganizations, ctx, { body: { ids } })).map(({ id, name }) => [id, name]));
    await send(
      request,
      reply,
      waiting.map((each) => ({ ...each, organization_name: named.get(each.organization_id) ?? null })),
    );
  }

  @ForOperation(listInstallationOrganizations)
  async organizations(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = await this.authorize(request, 'organizations.viewed');
    const query = parsed(listInstallationOrganizations.input.query.safeParse(request.query));
    const found = await this.services.call(searchOrganizations, ctx, { query });
    const body = { ids: found.map(({ id }) => id) };
    const [counts, uses] = await Promise.all([
      orNull(this.services.call(countTicketsOfOrganizations, ctx, { body })),
      orNull(this.services.call(measureUseOfOrganizations, ctx, { body })),
    ]);
    const tickets = new Map(counts?.map((each) => [each.id, each.tickets]));
    const measured = new Map(uses?.map((use) => [use.id, use]));
    await send(
      request,
      reply,
      found.map((each) => ({
        ...each,
        tickets: counts ? (tickets.get(each.id) ?? 0) : null,
        tickets_this_month: measured.get(each.id)?.tickets_this_month ?? null,
        file_bytes: measured.get(each.id)?.file_bytes ?? null,
      })),
    );
  }

  @ForOperation(changePlan)
  async plan(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const input = await this.planIn(request);
    const ctx = await this.authorize(request, 'plan.changed', `${input.params.id}/${input.body.plan ?? 'trial'}`);
    await this.services.call(savePlan, ctx, input);
    await send(request, reply, {});
  }

  @ForOperation(listOperatorLog)
  async log(@Req() request: GatewayRequest, @Res() reply: GatewayReply): Promise<void> {
    const ctx = await this.authorize(request, 'log.viewed');
    await send(request, reply, await this.services.call(readOperatorLog, ctx, {}));
  }

  /** Throws `route.not_found` unless the caller is an operator. Returns a context without an organization for the calls to services. */
  private async authorize(request: GatewayRequest, action: OperatorAction, target: string | null = null): Promise<Context> {
    const caller = contextOfCaller(request);
    if (!caller) throw new AppError('route.not_found');
    await this.services.call(authorizeOperator, caller, { body: { action, target } });
    return systemContext(null, request.id);
  }

  private async planIn(request: GatewayRequest): Promise<Pick<InputOf<typeof changePlan>, 'params' | 'body'>> {
    try {
      return { params: parsed(changePlan.input.params.safeParse(request.params)), body: bodyOf(request, changePlan.input.body) };
    } catch (error) {
      // Report invalid input to operators only; all other callers get 404.
      await this.authorize(request, 'organizations.viewed');
      throw error;
    }
  }

  private async letterIn(request: GatewayRequest): Promise<{ service: ServiceName; id: string }> {
    const result = replayOneDeadLetter.input.params.safeParse(request.params);
    // Report invalid input to operators only; all other callers get 404.
    if (!result.success) await this.authorize(request, 'dead_letters.viewed');
    return parsed(result);
  }
}

function parsed<T>(
  result: { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } },
): T {
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path, message }) => ({ path: path.join('.'), code: 'invalid', message }));
  throw new AppError('request.invalid', { fields });
}

async function send(request: GatewayRequest, reply: GatewayReply, data: unknown): Promise<void> {
  await reply
    .status(200)
    .header('cache-control', 'no-store')
    .send({ success: true, data, meta: { request_id: request.id } });
}
