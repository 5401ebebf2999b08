import { join } from 'node:path';
import { seconds } from './steps.ts';

export interface SignIn {
  email: string;
  password: string;
  role: string;
}

/** Where the parts of a started Tandem are. */
interface StartedApp {
  publicUrl: string;
  mailPort: number | undefined;
  taskToolPort: number | undefined;
  webhookSinkPort: number | undefined;
  env: Record<string, string | undefined>;
}

interface Start {
  mailbox: string;
  signIns: readonly SignIn[];
  tookMs: number;
  directory: string;
}

/** The lines that `npm start` prints when Tandem is ready. */
export function announcement(app: StartedApp, { mailbox, signIns, tookMs, directory }: Start): string[] {
  const lines = [
    '',
    `Tandem is ready: ${app.publicUrl}   (after ${seconds(tookMs)})`,
    ...signIns.map(({ role, email, password }) => `  sign in as ${role.padEnd(8)} ${email}   ${password}`),
    `  mail in: SMTP on 127.0.0.1:${app.mailPort}, to support@northwind.${app.env.MAIL_DOMAIN ?? 'tandem.localhost'}`,
  ];
  if (app.taskToolPort)
    lines.push(`  task tool: http://localhost:${app.taskToolPort}   (replaces ClickUp; connected to the demo organization)`);
  if (app.webhookSinkPort)
    lines.push(`  webhook sink: http://localhost:${app.webhookSinkPort}   (shows and verifies webhooks that are sent to its /hook)`);
  if (mailbox) lines.push(`  mailbox: ${mailbox.replace('127.0.0.1', 'localhost')}   logs: ${join(directory, 'logs')}`);
  return [...lines, '  Ctrl-C stops everything.'];
}
