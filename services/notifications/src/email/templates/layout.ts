const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for an HTML part: what a person typed is never markup. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export interface Letter {
  sender: string;
  heading: string;
  paragraphs: string[];
  links: { label: string; href: string; note?: string }[];
  closing: string;
  /** A page beside the matter itself, below the closing words. */
  choice?: { label: string; href: string };
}

/** One letter as plain text and as mail-safe HTML (a single table, styles inline, readable without images or a style sheet). */
export function layout({ sender, heading, paragraphs, links, closing, choice }: Letter): { text: string; html: string } {
  const text = [
    heading,
    ...paragraphs,
    ...links.map(({ label, href, note }) => `${label}${note ? ` (${note})` : ''}:\n${href}`),
    choice ? `${closing}\n${choice.href}` : closing,
    `-- \n${sender}`,
  ].join('\n\n');
  const paragraph = (content: string) => `<p style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1f2430">${content}</p>`;
  const button = ({ label, href, note }: Letter['links'][number]) =>
    paragraph(
      `<a href="${escapeHtml(href)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#3450a1;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(label)}</a>` +
        (note ? `<span style="padding-left:12px;color:#5b6270">${escapeHtml(note)}</span>` : ''),
    );
  const small = (content: string) => `<span style="color:#5b6270;font-size:14px">${content}</span>`;
  const chosen = choice ? ` <a href="${escapeHtml(choice.href)}" style="color:#3450a1">${escapeHtml(choice.label)}</a>` : '';
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;background:#f4f5f7"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #dfe2e8;border-radius:8px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"><tr><td style="padding:28px 28px 12px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;color:#12151c">${escapeHtml(heading)}</h1>
${paragraphs.map((content) => paragraph(escapeHtml(content))).join('\n')}
${links.map(button).join('\n')}
${paragraph(small(escapeHtml(closing) + chosen))}
</td></tr></table><p style="font:13px/20px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#5b6270">${escapeHtml(sender)}</p></td></tr></table></body></html>`;
  return { text, html };
}
