import { recordLockOut } from '@tandem/contracts';
import { Services } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import { bytesOf, contextOf, type GatewayRequest } from '../request';
import { addressIn } from './limits';

/** The maximum length of an address (RFC 5321): no account has a longer one, so there is no log to write to. */
const maxAddressLength = 254;

/** Reports locked accounts to identity, which writes the audit log of the account's organization. */
@Injectable()
export class LockOuts {
  constructor(
    private readonly services: Services,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** Not awaited: content and time of the response must not depend on whether the account exists or identity is available. */
  report(request: GatewayRequest): void {
    const email = addressIn(bytesOf(request));
    if (email === undefined || email.length > maxAddressLength) return;
    const ctx = contextOf(request, { type: 'customer' }, null);
    this.services.call(recordLockOut, ctx, { body: { email } }).catch((err: unknown) => {
      this.log.warn({ err, request_id: request.id }, 'Reporting a locked account to the audit log failed');
    });
  }
}
