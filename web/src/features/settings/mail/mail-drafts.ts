import { createExternalStore } from '../../../lib/external-store';
import type { MailboxForm, MailServerForm } from './mail-settings.api';

// Unsaved values. They survive switching panels.
export const unsavedMailbox = createExternalStore<MailboxForm | null>(() => null);
export const unsavedServer = createExternalStore<MailServerForm | null>(() => null);
