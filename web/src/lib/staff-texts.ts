import { staffCatalog, type StaffKey } from '@tandem/languages/staff';
import { formatMessage, type CompiledMessage, type MessageValues } from './format-message';

// Compiled by the transform of the tests (libs/testing/jest/catalog.cjs).
const messages = staffCatalog as unknown as Record<StaffKey, CompiledMessage>;

/**
 * A text of the staff app: `t('tickets.list.search')`, `t('tickets.list.count', { count })`. The key is a literal, because the build replaces
 * each call by its message (web/vite.staff-texts.ts): pages contain only the texts that they show, and no catalog. Only the tests run this.
 */
export const t = (key: StaffKey, values: MessageValues = {}): string => formatMessage(messages[key], values);
