import { defineService } from '@tandem/messaging';
import { AccountService } from './account/account.service';
import { AuditService } from './audit/audit.service';
import { AuditWorker } from './audit/audit.worker';
import { MfaService } from './mfa/mfa.service';
import { OrganizationService } from './organization/organization.service';
import { DeviceService } from './session/device.service';
import { SessionService } from './session/session.service';
import { SignInService } from './session/sign-in.service';

export const identityService = defineService({
  name: 'identity',
  providers: () => [AuditWorker],
  controllers: [AccountService, AuditService, SessionService, OrganizationService],
});
