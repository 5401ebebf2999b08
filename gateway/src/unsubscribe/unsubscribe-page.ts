const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:15vh auto 0;padding:0 1.5rem}
h1{font-size:1.375rem;line-height:1.3}
button{font:inherit;font-weight:600;padding:.625rem 1.25rem;border:0;border-radius:.375rem;background:#3450a1;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #9db7ff;outline-offset:2px}`;

const page = (title: string, text: string, form = '') => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><h1>${escape(title)}</h1><p>${escape(text)}</p>${form}</main></body></html>`;

/** The form posts to the URL of the page itself, which contains the token. */
export const askPage = page(
  'Unsubscribe from this report?',
  'You will no longer receive this analytics report by email. Your other emails are not affected.',
  '<form method="post"><button>Unsubscribe</button></form>',
);
export const donePage = page(
  'You’re unsubscribed',
  'You will no longer receive this analytics report. An admin or manager of your team can add you again.',
);
export const failedPage = (title: string) => page(title, 'To stop the report, ask an admin or manager of your team to remove you from it.');
