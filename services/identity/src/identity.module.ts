import { defineService } from '@tandem/messaging';
import { AccountService } from './account/account.service';
import { OrganizationService } from './organization/organization.service';
import { SessionService } from './session/session.service';

export const identityService = defineService({
  name: 'identity',
  providers: () => [],
  controllers: [AccountService, SessionService, OrganizationService],
});
