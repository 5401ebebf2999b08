import { defineService } from '@tandem/messaging';
import { emailTokensProvider } from '@tandem/platform';
import { ArticleCategoryService } from './article/article-category.service';
import { ArticlePictureController } from './article/article-picture.controller';
import { ArticlePictureService } from './article/article-picture.service';
import { ArticlePublishingService } from './article/article-publishing.service';
import { ArticleService } from './article/article.service';
import { ArticleWorker } from './article/article.worker';
import { AttachmentService } from './attachment/attachment.service';
import { AttachmentWorker } from './attachment/attachment.worker';
import { UploadBodyParser } from './attachment/upload-body-parser';
import { FileController } from './attachment/file.controller';
import { FileTokens } from './attachment/file-token';
import { TicketEventsDeletion } from './ticket-deletion/ticket-deletion';
import { TicketsDeletion } from './attachment/tickets-deletion';
import { AssigneeService } from './assignment/assignee.service';
import { AutoAssignment } from './assignment/auto-assignment';
import { UnassignInactive } from './assignment/unassign-inactive';
import { CommentService } from './comment/comment.service';
import { DataExportService } from './data-export/data-export.service';
import { ExportDownloadController } from './data-export/export-download.controller';
import { ExportPartConsumer } from './data-export/export-part.consumer';
import { ErasureService } from './erasure/erasure.service';
import { ErasureWorker } from './erasure/erasure.worker';
import { ExportWorker } from './data-export/export.worker';
import { exportVariables } from './data-export/variables';
import { DraftService } from './draft/draft.service';
import { MacroService } from './macro/macro.service';
import { MailFiles } from './mail-in/mail-files';
import { MailParser } from './mail-in/mail-parser';
import { MailInMetrics } from './mail-in/mail-in.metrics';
import { BounceDomains } from './mail-in/bounce-domains';
import { MailIntake } from './mail-in/mail-intake';
import { RecentMails, recentMailLimits } from './mail-in/recent-mails';
import { MailWorker } from './mail-in/mail.worker';
import { MailboxService } from './mail-in/mailbox.service';
import { MailboxWorker } from './mail-in/mailbox.worker';
import { SmtpListener } from './mail-in/smtp-listener';
import { mailInVariables } from './mail-in/variables';
import { HelpService } from './help/help.service';
import { HelpWorker } from './help/help.worker';
import { ImportFileController } from './import/import-file.controller';
import { ImportFileService } from './import/import-file.service';
import { ImportService } from './import/import.service';
import { ImportWorker } from './import/import.worker';
import { LiveDemo } from './demo/live-demo.consumer';
import { MergeService } from './merge/merge.service';
import { PublicAttachmentService } from './attachment/public-attachment.service';
import { PortalService } from './portal/portal.service';
import { PrefixService } from './prefix/prefix.service';
import { IdentityProjection } from './projection/identity-projection';
import { ReadService } from './read/read.service';
import { CustomFieldService } from './custom-field/custom-field.service';
import { CustomFieldWorker } from './custom-field/custom-field.worker';
import { RetentionService } from './retention/retention.service';
import { RetentionWorker } from './retention/retention.worker';
import { RuleService } from './rule/rule.service';
import { RuleWebhooks } from './rule/rule-webhooks.consumer';
import { RuleWorker } from './rule/rule.worker';
import { SlaService } from './sla/sla.service';
import { SlaWorker } from './sla/sla.worker';
import { SnoozeService } from './snooze/snooze.service';
import { SnoozeWorker } from './snooze/snooze.worker';
import { storageOf, storageVariables, type StorageConfig } from './storage/storage';
import { SentSurveys } from './survey/sent-survey.consumer';
import { SurveyService } from './survey/survey.service';
import { FinishedTaskService } from './task/finished-task.service';
import { TaskConsumer } from './task/task.consumer';
import { TicketExportWorker } from './export/ticket-export.worker';
import { OrganizationUseService } from './ticket/organization-use.service';
import { TicketListService } from './ticket/ticket-list.service';
import { TicketService } from './ticket/ticket.service';
import { WatcherService } from './ticket/watcher.service';
import { TimelineService } from './timeline/timeline.service';
import { ViewService } from './view/view.service';
import { WidgetService } from './widget/widget.service';

/** Reports invalid variables before any connection is opened, and an unusable storage before the first request. */
function storageProvider(config: StorageConfig) {
  const storage = storageOf(config);
  return { provide: 'STORAGE', useFactory: () => storage.open().then(() => storage) };
}

/** The tickets service: tickets, comments, numbering, SLA, mail intake, and the operations of portal and widget. */
export const ticketsService = defineService({
  name: 'tickets',
  variables: { ...storageVariables, ...exportVariables, ...mailInVariables },
  controllers: [
    TicketService,
    TicketListService,
    ViewService,
    CommentService,
    PortalService,
    DraftService,
    MacroService,
    MergeService,
    TimelineService,
    WatcherService,
    AssigneeService,
    SlaService,
    RuleService,
    CustomFieldService,
    HelpService,
    AttachmentService,
    PublicAttachmentService,
    SurveyService,
    WidgetService,
    MailboxService,
    FinishedTaskService,
    PrefixService,
    ReadService,
    SnoozeService,
    FileController,
    ArticlePictureController,
    DataExportService,
    ErasureService,
    RetentionService,
    ExportDownloadController,
    ArticleService,
    ArticlePublishingService,
    ArticleCategoryService,
    ArticlePictureService,
    OrganizationUseService,
    ImportService,
    ImportFileService,
    ImportFileController,
  ],
  providers: (config) => [
    SlaWorker,
    RuleWebhooks,
    RuleWorker,
    CustomFieldWorker,
    HelpWorker,
    ArticleWorker,
    SnoozeWorker,
    IdentityProjection,
    AutoAssignment,
    UnassignInactive,
    TaskConsumer,
    TicketExportWorker,
    ExportPartConsumer,
    ExportWorker,
    SentSurveys,
    AttachmentWorker,
    TicketsDeletion,
    TicketEventsDeletion,
    ErasureWorker,
    RetentionWorker,
    LiveDemo,
    ImportWorker,
    UploadBodyParser,
    storageProvider(config),
    emailTokensProvider(config),
    { provide: FileTokens, useFactory: () => new FileTokens(config.LINK_SECRET) },
    { provide: RecentMails, useFactory: () => new RecentMails(recentMailLimits) },
    MailInMetrics,
    BounceDomains,
    MailIntake,
    MailFiles,
    MailParser,
    MailWorker,
    MailboxWorker,
    SmtpListener,
  ],
});
