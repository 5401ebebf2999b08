import { recordLockOut } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import { bytesOf, contextOf, type GatewayRequest } from '../request';
import { addressIn } from './limits';

/** The longest address there is (RFC 5321): a longer one has no account and no log to write into. */
const longestAddress = 254;

/** Tells identity, which keeps the log of the account's organization, that an account was locked out. */
@Injectable()
export class LockOuts {
  constructor(
    private readonly services: Services,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** Nobody waits for it: the answer is the same, and takes as long, for an address without an account and while identity is away. */
  tell(request: GatewayRequest): void {
    const email = addressIn(bytesOf(request));
    if (email === undefined || email.length > longestAddress) return;
    const ctx = contextOf(request, { type: 'customer' }, null);
    this.services.call(recordLockOut, ctx, { body: { email } }).catch((err: unknown) => {
      this.log.warn({ err, request_id: request.id }, 'A lock-out could not be noted in the log');
    });
  }
}
