import { requestPasswordReset } from '@tandem/contracts';
import { Injectable } from '@nestjs/common';
import { bytesOf, type GatewayRequest } from '../request';
import { accountKey, addressIn, isCanonical } from './limits';
import { RedisLimitStorage } from './redis-limit-storage';

/**
 * How an attempt to sign in ended.
 * `guessed`: a password or code was checked and was wrong. `proven`: the caller has proved to be the owner of the account.
 * `unfinished`: neither; another step follows, or the attempt failed before anything was compared.
 */
export type AttemptOutcome = 'guessed' | 'proven' | 'unfinished';

/** Updates the sign-in counters by the outcome of an attempt: success resets the account's counter, a wrong guess stays counted. */
@Injectable()
export class LoginAttempts {
  constructor(private readonly limits: RedisLimitStorage) {}

  /**
   * Guesses stay counted, other attempts are refunded. Only a proof resets earlier guesses; otherwise an attacker could erase guesses with
   * requests that fail early. A proof for a `+tag` spelling resets nothing: anyone can sign up with a tagged form of another person's
   * address and their own password.
   *
   * @param email the account's address if the request does not contain it
   */
  async recordOutcome(request: GatewayRequest, outcome: AttemptOutcome, email?: string): Promise<void> {
    if (outcome === 'guessed') return;
    const consumed = request.consumed ?? [];
    const address = email ?? addressIn(bytesOf(request));
    const forgets = outcome === 'proven' && address !== undefined && isCanonical(address);
    await Promise.all([
      ...consumed.map((counter) => (forgets && counter.of === 'account' ? this.limits.reset(counter) : this.limits.refund(counter))),
      ...(forgets && email !== undefined ? [this.limits.reset({ key: accountKey('login', email) })] : []),
    ]);
  }

  /**
   * Setting a new password with the emailed link proves ownership of the account: ends its block and allows new reset links. Counters of
   * client addresses stay; otherwise attackers could reset theirs by using another account.
   */
  async forgetAccount(email: string): Promise<void> {
    if (!isCanonical(email)) return;
    const scopes = ['login', `password_reset:${requestPasswordReset.name}`];
    await Promise.all(scopes.map((scope) => this.limits.reset({ key: accountKey(scope, email) })));
  }
}
