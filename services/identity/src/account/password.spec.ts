import { AppError } from '@tandem/contracts';
import { hashPassword, passwordMatches } from './password';

describe('many concurrent password checks', () => {
  it('are processed up to a queue limit; the rest fail immediately for known and unknown accounts, and later ones succeed', async () => {
    const password_hash = await hashPassword('x7Kq!m2v');
    const inOrder: unknown[] = [];
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, i) => {
        const answer = await passwordMatches(i % 2 === 0 ? password_hash : undefined, 'wrong-one').catch((error: unknown) => error);
        inOrder.push(answer);
        return answer;
      }),
    );
    const refused = answers.filter((answer) => answer instanceof AppError);
    expect(answers.filter((answer) => answer === false)).toHaveLength(128);
    expect(refused).toHaveLength(1_000 - 128);
    expect(refused[0]).toMatchObject({ code: 'service.unavailable', retryAfterSeconds: 5 });
    expect(inOrder.slice(0, refused.length)).toEqual(refused);
    expect(await passwordMatches(password_hash, 'x7Kq!m2v')).toBe(true);
  }, 30_000);
});
