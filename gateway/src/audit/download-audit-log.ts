import { AuditFilter, operation } from '@tandem/contracts';
import * as z from 'zod';

/** Handled by the gateway itself: reads all pages of `listAuditLog` and writes them as one file. */
export const downloadAuditLog = operation({
  name: 'gateway.downloadAuditLog',
  summary: "The organization's log as a CSV file, the latest first.",
  owner: 'identity',
  method: 'GET',
  path: '/audit-log.csv',
  allow: 'audit.read',
  handwritten: true,
  input: { query: AuditFilter },
  output: z.string(),
});
