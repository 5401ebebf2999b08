import { ConflictException, ForbiddenException, HttpException, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { AppError } from '@tandem/contracts';
import * as z from 'zod';
import { createLogger } from './log';
import { toProblem } from './problem';

const lines: string[] = [];
const log = createLogger('tickets', 'info', { write: (line) => void lines.push(line) });
const problemOf = (error: unknown) => toProblem(error, 'r1', log);
beforeEach(() => void lines.splice(0));

const withCode = (code: string) => Object.assign(new Error(`failed: ${code}`), { code });

describe('toProblem', () => {
  it('returns our own errors, with their time to retry', () => {
    expect(problemOf(new AppError('limit.exceeded', { retryAfterSeconds: 7, detail: 'Slow down' }))).toEqual({
      problem: expect.objectContaining({
        success: false,
        status: 429,
        code: 'limit.exceeded',
        detail: 'Slow down',
        request_id: 'r1',
      }) as unknown,
      retryAfterSeconds: 7,
    });
  });

  it('names each wrong field by its dotted path, an unknown one too', () => {
    const schema = z.strictObject({ customer: z.strictObject({ email: z.email() }), tags: z.array(z.string()) });
    const { error } = schema.safeParse({ customer: { email: 'x', nick: 1 }, tags: ['a', 5], admin: true });
    const { problem } = problemOf(error);
    expect(problem).toMatchObject({ status: 422, code: 'request.invalid' });
    expect(problem.errors?.map(({ path }) => path).sort()).toEqual(['admin', 'customer.email', 'customer.nick', 'tags.1']);
  });

  it.each([
    [new NotFoundException('Cannot GET /x'), 404, 'route.not_found'],
    [new ForbiddenException(), 403, 'permission.denied'],
    [new HttpException('too large', 413), 413, 'request.too_large'],
    [new HttpException('media', 415), 415, 'request.unsupported_media_type'],
    [new HttpException('long', 414), 400, 'request.malformed'],
    [new ConflictException(), 400, 'request.malformed'],
    [new ServiceUnavailableException(), 503, 'service.unavailable'],
    [Object.assign(new Error('Body is empty'), { code: 'FST_ERR_CTP_EMPTY_JSON_BODY', statusCode: 400 }), 400, 'request.malformed'],
    [new URIError('URI malformed'), 400, 'request.malformed'],
  ])('maps %s to its problem code', (error, status, code) => {
    expect(problemOf(error).problem).toMatchObject({ status, code });
  });

  it.each([
    withCode('ECONNREFUSED'),
    withCode('UND_ERR_CONNECT_TIMEOUT'),
    withCode('57P01'),
    withCode('08006'),
    new Error('query failed', { cause: withCode('ECONNRESET') }),
    new AggregateError([withCode('ECONNREFUSED')]),
  ])('answers 503 with a time to retry if a server is down (%s)', (error) => {
    expect(problemOf(error)).toMatchObject({ problem: { status: 503, code: 'service.unavailable' }, retryAfterSeconds: 2 });
    expect(lines.join()).toContain('warn');
  });

  it.each([new TypeError('cannot read x of hunter2'), 'a text', undefined, null, { status: 400 }, withCode('23505')])(
    'reveals nothing about an unexpected error (%p), and logs it completely',
    (error) => {
      const { problem } = problemOf(error);
      expect(problem).toMatchObject({ status: 500, code: 'internal' });
      expect(problem).not.toHaveProperty('detail');
      expect(JSON.stringify(problem)).not.toContain('hunter2');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('"request_id":"r1"');
    },
  );
});
