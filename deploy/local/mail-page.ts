import type { Mail } from './mail-store.ts';

/** An email as the document in the sandboxed frame: its HTML, or its text with clickable links. */
export function mailFrame(mail: Mail): string {
  const base = '<base target="_blank"><meta charset="utf-8">';
  if (mail.html) return `${base}${mail.html}`;
  const text = escapeHtml(mail.text).replace(
    /https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g,
    (link) => `<a href="${link}" rel="noopener noreferrer">${link}</a>`,
  );
  return `${base}<body style="font:15px/1.55 system-ui,sans-serif;white-space:pre-wrap;margin:24px;color:#1f2937">${text}</body>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The mailbox's only page: the list on the left, the selected email on the right; polls for new emails every two seconds. */
export const mailPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox · Tandem</title>
<style>
  :root { --line: #e5e7eb; --muted: #6b7280; --accent: #4f46e5; color-scheme: light; }
  * { box-sizing: border-box; }
  body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto 1fr; font: 15px/1.45 system-ui, sans-serif; color: #111827; background: #f9fafb; }
  header { display: flex; align-items: center; gap: 12px; padding: 12px 20px; background: #fff; border-bottom: 1px solid var(--line); }
  h1 { font-size: 17px; margin: 0; } #count { color: var(--muted); }
  button { font: inherit; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: #fff; cursor: pointer; margin-left: auto; }
  button:focus-visible, #list button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
  main { display: grid; grid-template-columns: minmax(260px, 380px) 1fr; min-height: 0; }
  #list { list-style: none; margin: 0; padding: 0; overflow: auto; background: #fff; border-right: 1px solid var(--line); }
  #list button { all: unset; box-sizing: border-box; display: block; width: 100%; padding: 12px 20px; border-bottom: 1px solid var(--line); cursor: pointer; }
  #list button:hover { background: #f9fafb; } #list button[aria-current=true] { background: #eef2ff; box-shadow: inset 3px 0 var(--accent); }
  .subject { font-weight: 600; } .about { color: var(--muted); font-size: 13px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  #mail { display: grid; grid-template-rows: auto 1fr; min-width: 0; min-height: 0; } #head { padding: 16px 24px; background: #fff; border-bottom: 1px solid var(--line); }
  #head h2 { margin: 0 0 4px; font-size: 19px; overflow-wrap: anywhere; } iframe { width: 100%; height: 100%; border: 0; background: #fff; }
  .empty { display: grid; place-content: center; text-align: center; color: var(--muted); padding: 40px; }
  @media (max-width: 700px) { main { grid-template-columns: 1fr; grid-template-rows: 40% 60%; } #list { border-right: 0; border-bottom: 1px solid var(--line); } }
</style>
</head>
<body>
<header><h1>Mailbox</h1><span id="count" role="status"></span><button id="clear" type="button">Delete all</button></header>
<main><ul id="list" aria-label="Emails"></ul><section id="mail" aria-label="Selected email"><p class="empty">Every email that Tandem sends appears here.<br>None leaves this machine.</p></section></main>
<script>
  const list = document.getElementById('list'), view = document.getElementById('mail'), count = document.getElementById('count');
  let chosen, shown = '';
  const add = (parent, tag, text, className) => { const e = document.createElement(tag); e.textContent = text; if (className) e.className = className; parent.append(e); return e; };
  const when = (iso) => new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  function open(mail) {
    chosen = mail.id; view.replaceChildren();
    const head = add(view, 'div', ''); head.id = 'head';
    add(head, 'h2', mail.subject || '(no subject)');
    add(head, 'div', mail.from + ' → ' + mail.to.join(', '), 'about'); add(head, 'div', when(mail.received_at), 'about');
    const frame = document.createElement('iframe');
    frame.title = 'Email content'; frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox'); frame.src = '/mails/' + mail.id;
    view.append(frame);
    for (const b of list.querySelectorAll('button')) b.setAttribute('aria-current', b.dataset.id === chosen);
  }
  function show(mails) {
    const now = mails.map((m) => m.id).join();
    count.textContent = mails.length === 1 ? '1 mail' : mails.length + ' mails';
    if (now === shown) return;
    shown = now;
    const focused = document.activeElement?.dataset?.id;
    list.replaceChildren(...mails.map((mail) => {
      const item = document.createElement('li'), button = add(item, 'button', '');
      button.type = 'button'; button.dataset.id = mail.id; button.setAttribute('aria-current', mail.id === chosen); button.onclick = () => open(mail);
      add(button, 'div', mail.subject || '(no subject)', 'subject'); add(button, 'div', 'to ' + mail.to.join(', '), 'about'); add(button, 'div', when(mail.received_at), 'about');
      if (mail.id === focused) queueMicrotask(() => button.focus());
      return item;
    }));
  }
  async function refresh() {
    try { show(await (await fetch('/api/messages')).json()); } catch { count.textContent = 'The mailbox does not respond (is Tandem running?)'; }
  }
  document.getElementById('clear').onclick = async () => {
    if (!confirm('Delete all emails?')) return;
    await fetch('/api/messages', { method: 'DELETE' }); chosen = undefined;
    view.replaceChildren(); add(view, 'p', 'No emails.', 'empty'); refresh();
  };
  refresh(); setInterval(refresh, 2000);
</script>
</body>
</html>
`;
