import { requestPasswordReset } from '@tandem/contracts';
import { Injectable } from '@nestjs/common';
import { bytesOf, type GatewayRequest } from '../request';
import { accountKey, addressIn, isCanonical } from './limits';
import { RedisLimitStorage } from './redis-limit-storage';

/**
 * How an attempt to sign in ended.
 * `guessed`: a password or a code was tried and was wrong. `proven`: the caller has shown to be the person of the account.
 * `unfinished`: neither; another step is to come, or the attempt never got as far as being compared.
 */
export type AttemptOutcome = 'guessed' | 'proven' | 'unfinished';

/** Spec part 1, section 4: what the outcome of an attempt means for its counts. */
@Injectable()
export class LoginAttempts {
  constructor(private readonly limits: RedisLimitStorage) {}

  /**
   * A guess stays counted. Everything else is given back; only a proof forgets the guesses before it, else whoever knows a way to be
   * refused early would wash guesses away. Nor does the proof of another spelling: anybody may sign up with somebody's address and a
   * +tag of their own, and be refused with the password that they chose for it.
   *
   * @param email whose account it was, where the request does not say so itself
   */
  async settle(request: GatewayRequest, outcome: AttemptOutcome, email?: string): Promise<void> {
    if (outcome === 'guessed') return;
    const counted = request.counted ?? [];
    const address = email ?? addressIn(bytesOf(request));
    const forgets = outcome === 'proven' && address !== undefined && isCanonical(address);
    await Promise.all([
      ...counted.map((counter) => (forgets && counter.of === 'account' ? this.limits.reset(counter) : this.limits.giveBack(counter))),
      ...(forgets && email !== undefined ? [this.limits.reset({ key: accountKey('login', email) })] : []),
    ]);
  }

  /**
   * A new password, set with the emailed link, proves whose account it is: its block ends, and it may ask for links again. The counts of
   * client addresses stay, or an attacker could reset theirs with an account of their own.
   */
  async forgetAccount(email: string): Promise<void> {
    if (!isCanonical(email)) return;
    const scopes = ['login', `password_reset:${requestPasswordReset.name}`];
    await Promise.all(scopes.map((scope) => this.limits.reset({ key: accountKey(scope, email) })));
  }
}
