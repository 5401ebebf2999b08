import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emailSamples, sampleContext } from '../../test/email-samples';
import type { EmailData, EmailKind } from '../schema';
import { render } from './render';

const kinds = Object.keys(emailSamples) as EmailKind[];
const samples = kinds.flatMap((kind) =>
  Object.entries<EmailData[EmailKind]>(emailSamples[kind]).map(([name, data]) => ({ title: `${kind} ${name}`.trim(), kind, data })),
);
const linksIn = (html: string): string[] => [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

/** With EMAIL_PAGES, the folder that deploy/pictures/take-email-pictures.ts reads. */
const folder = process.env.EMAIL_PAGES;
const save = (name: string, html: string) => {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name.replaceAll(' ', '-')}.html`), html);
};

it.each(samples)('$title has at most one button, and its plain text has all links', ({ title, kind, data }) => {
  const { subject, text, html } = render(kind, data, sampleContext());
  save(title, html);
  expect(subject).toMatch(/^\S.{2,120}$/);
  expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  expect(linksIn(html).filter((href) => !text.includes(href))).toEqual([]);
  // A value that a template forgets shows as one of these.
  expect(text).not.toMatch(/undefined|null|NaN|\[object|\{\w+\}/);
});

it.each(['de', 'ar'] as const)('emails to customers in %s are in its direction', (language) => {
  const context = sampleContext(language, { primary_color: '#FFD400', email_template_header: '<p><b>Northwind</b> · Berlin</p>' });
  const { html } = render('ticket_reply', emailSamples.ticket_reply['with files and a survey']!, context);
  save(`ticket_reply in ${language}`, html);
  expect(html).toContain(`<html dir="${language === 'ar' ? 'rtl' : 'ltr'}" lang="${language}"`);
});
