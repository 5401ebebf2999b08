/** The sink's only page, in the style of the local mailbox: the list on the left, the selected request on the right; polls every second. */
export const sinkPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhook sink · Tandem</title>
<style>
  :root { --line: #e5e7eb; --muted: #6b7280; --accent: #4f46e5; color-scheme: light; }
  * { box-sizing: border-box; }
  body { margin: 0; height: 100vh; display: grid; grid-template-rows: auto auto 1fr; font: 15px/1.45 system-ui, sans-serif; color: #111827; background: #f9fafb; }
  header, form { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; padding: 12px 20px; background: #fff; border-bottom: 1px solid var(--line); }
  h1 { font-size: 17px; margin: 0; } #count, #result { color: var(--muted); }
  button, input, select { font: inherit; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; background: #fff; color: inherit; }
  button { cursor: pointer; } #clear { margin-left: auto; } label { display: flex; align-items: center; gap: 6px; }
  #secrets { width: 26em; max-width: 100%; } #status { width: 6em; } #retry { width: 8em; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
  main { display: grid; grid-template-columns: minmax(260px, 380px) 1fr; min-height: 0; }
  #list { list-style: none; margin: 0; padding: 0; overflow: auto; background: #fff; border-right: 1px solid var(--line); }
  #list button { all: unset; box-sizing: border-box; display: block; width: 100%; padding: 12px 20px; border-bottom: 1px solid var(--line); cursor: pointer; }
  #list button:hover { background: #f9fafb; } #list button[aria-current=true] { background: #eef2ff; box-shadow: inset 3px 0 var(--accent); }
  #list button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
  .subject { font-weight: 600; } .about { color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
  .valid { color: #047857; } .invalid { color: #b91c1c; }
  #request { padding: 16px 24px; overflow: auto; min-width: 0; } h2 { margin: 0 0 4px; font-size: 19px; overflow-wrap: anywhere; } h3 { font-size: 15px; margin: 16px 0 4px; }
  pre { margin: 0; padding: 12px; background: #fff; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; }
  .empty { text-align: center; color: var(--muted); padding: 40px; }
  @media (max-width: 700px) { main { grid-template-columns: 1fr; grid-template-rows: 40% 60%; } #list { border-right: 0; border-bottom: 1px solid var(--line); } }
</style>
</head>
<body>
<header><h1>Webhook sink</h1><code id="hook"></code><span id="count" role="status"></span><button id="clear" type="button">Delete all</button></header>
<form id="settings">
  <label>Secret <input id="secrets" placeholder="whsec_… (several: separated by spaces)" autocomplete="off" spellcheck="false"></label>
  <label>Answer <select id="answer"><option value="respond">Respond</option><option value="hang">Never respond</option><option value="redirect">Redirect</option></select></label>
  <label>Status <input id="status" type="number" min="200" max="599" list="statuses" required></label>
  <datalist id="statuses"><option value="204">No content</option><option value="410">Gone: disables the endpoint</option><option value="429">Too many requests</option><option value="500">Internal server error</option><option value="503">Unavailable</option></datalist>
  <label>Retry-After <input id="retry" placeholder="seconds or date"></label>
  <button type="submit">Save</button><span id="result" role="status"></span>
</form>
<main><ul id="list" aria-label="Requests"></ul><section id="request" aria-label="Selected request"><p class="empty">Every request to the address above appears here.<br>Add it as a webhook endpoint in the settings of Tandem.</p></section></main>
<script>
  const at = (id) => document.getElementById(id), list = at('list'), view = at('request'), count = at('count');
  let chosen, shown = '', filled = false;
  const add = (parent, tag, text, className) => { const e = document.createElement(tag); e.textContent = text; if (className) e.className = className; parent.append(e); return e; };
  const when = (iso) => new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  const nameOf = (r) => r.headers['x-tandem-event'] || r.method + ' ' + r.path;
  const verdict = (v) => v.state === 'valid' ? 'Signature verified' : v.state === 'invalid' ? 'Not verified (' + v.step + '): ' + v.message : 'Enter the secret to verify the signature';
  const pretty = (body) => { try { return JSON.stringify(JSON.parse(body), null, 2); } catch { return body; } };
  function open(r) {
    chosen = r.id; view.replaceChildren();
    add(view, 'h2', nameOf(r)); add(view, 'div', when(r.at) + ' · ' + r.method + ' ' + r.path + ' · answer: ' + r.answer, 'about');
    add(view, 'p', verdict(r.verification), r.verification.state);
    add(view, 'h3', 'Headers'); add(view, 'pre', Object.entries(r.headers).map(([name, value]) => name + ': ' + value).join('\\n'));
    add(view, 'h3', 'Body'); add(view, 'pre', pretty(r.body));
    for (const b of list.querySelectorAll('button')) b.setAttribute('aria-current', b.dataset.id === String(chosen));
  }
  function show({ hook_url, settings, requests }) {
    at('hook').textContent = hook_url;
    if (!filled) { filled = true; at('secrets').value = settings.secrets.join(' '); at('answer').value = settings.answer; at('status').value = settings.status; at('retry').value = settings.retry_after; }
    const now = JSON.stringify(requests.map((r) => [r.id, r.verification.state]));
    count.textContent = requests.length === 1 ? '1 request' : requests.length + ' requests';
    if (now === shown) return;
    shown = now;
    const focused = document.activeElement?.dataset?.id;
    list.replaceChildren(...requests.map((r) => {
      const item = document.createElement('li'), button = add(item, 'button', '');
      button.type = 'button'; button.dataset.id = r.id; button.setAttribute('aria-current', r.id === chosen); button.onclick = () => open(r);
      add(button, 'div', nameOf(r), 'subject'); add(button, 'div', when(r.at) + ' · answer: ' + r.answer, 'about');
      add(button, 'div', r.verification.state === 'unchecked' ? 'not checked' : r.verification.state === 'valid' ? 'verified' : 'not verified: ' + r.verification.step, 'about ' + r.verification.state);
      if (String(r.id) === focused) queueMicrotask(() => button.focus());
      return item;
    }));
    const selected = requests.find((r) => r.id === chosen);
    if (selected) open(selected);
  }
  async function refresh() {
    try { show(await (await fetch('/api/requests')).json()); } catch { count.textContent = 'The sink does not respond (is Tandem running?)'; }
  }
  at('settings').onsubmit = async (submitted) => {
    submitted.preventDefault();
    const body = { secrets: at('secrets').value.split(/\\s+/).filter(Boolean), answer: at('answer').value, status: Number(at('status').value), retry_after: at('retry').value.trim() };
    const response = await fetch('/api/settings', { method: 'PUT', body: JSON.stringify(body) });
    at('result').textContent = response.ok ? 'Saved' : (await response.json()).message;
    refresh();
  };
  at('clear').onclick = async () => {
    if (!confirm('Delete all requests?')) return;
    await fetch('/api/requests', { method: 'DELETE' }); chosen = undefined;
    view.replaceChildren(); add(view, 'p', 'No requests.', 'empty'); refresh();
  };
  refresh(); setInterval(refresh, 1000);
</script>
</body>
</html>
`;
