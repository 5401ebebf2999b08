import { identityErasureAnswered, deleteInIdentity } from '@tandem/contracts';
import { defineService, customerErasure, organizationDeletion } from '@tandem/messaging';
import { IdentityExportPart } from './export-part/export-part';
import { AccountService } from './account/account.service';
import { EmailChangeService } from './account/email-change.service';
import { PasswordService } from './account/password.service';
import { AccountCleanup } from './account/account-cleanup.worker';
import { ApiTokenService } from './api-token/api-token.service';
import { AuditService } from './audit/audit.service';
import { AuditWorker } from './audit/audit.worker';
import { PolicyLog } from './audit/policy-log';
import { AssetController } from './branding/asset.controller';
import { BrandingService } from './branding/branding.service';
import { CustomDomainWorker } from './branding/custom-domain.worker';
import { identityVariables } from './config';
import { MfaService } from './mfa/mfa.service';
import { OidcConnectionService } from './oidc/oidc-connection.service';
import { OidcService } from './oidc/oidc.service';
import { OrganizationService } from './organization/organization.service';
import { SingleOrganizationCheck } from './organization/single-organization';
import { SnapshotConsumer } from './organization/snapshot.consumer';
import { TicketPrefixConsumer } from './organization/ticket-prefix.consumer';
import { BackupMetrics } from './operator/backup.metrics';
import { OrganizationDeletionService } from './organization-deletion/organization-deletion.service';
import { OrganizationDeletionWorker } from './organization-deletion/organization-deletion.worker';
import { OperatorService } from './operator/operator.service';
import { LiveDemoService } from './live-demo/live-demo.service';
import { DeviceService } from './session/device.service';
import { SessionService } from './session/session.service';
import { SignInService } from './session/sign-in.service';
import { InvitationService } from './team/invitation.service';
import { MemberService } from './team/member.service';
import { WidgetService } from './widget/widget.service';
import { WordingService } from './wording/wording.service';

export const identityService = defineService({
  name: 'identity',
  variables: identityVariables,
  providers: () => [
    AccountCleanup,
    AuditWorker,
    PolicyLog,
    BackupMetrics,
    CustomDomainWorker,
    TicketPrefixConsumer,
    SnapshotConsumer,
    SingleOrganizationCheck,
    OrganizationDeletionWorker,
    organizationDeletion(deleteInIdentity),
    customerErasure(identityErasureAnswered, { hasTickets: false }),
    IdentityExportPart,
  ],
  controllers: [
    AccountService,
    PasswordService,
    EmailChangeService,
    AuditService,
    SignInService,
    SessionService,
    DeviceService,
    MfaService,
    OidcService,
    OidcConnectionService,
    OrganizationService,
    OrganizationDeletionService,
    MemberService,
    InvitationService,
    BrandingService,
    AssetController,
    WidgetService,
    WordingService,
    ApiTokenService,
    LiveDemoService,
    OperatorService,
  ],
});
