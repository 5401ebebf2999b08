/**
 * The script of the API reference: filters the navigation, and sends requests with a token that it keeps in memory only. It is text, because
 * it runs in browsers and is served unchanged. Input and responses are shown as text, never as HTML.
 */
export const docsScript = String.raw`'use strict';
(() => {
  let token = '';
  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const menu = document.querySelector('.menu');
  if (matchMedia('(max-width: 56rem)').matches) menu.open = false;

  const find = document.getElementById('find');
  find.parentElement.hidden = false;
  find.addEventListener('input', () => {
    const wanted = find.value.trim().toLowerCase();
    for (const item of menu.querySelectorAll('.group li')) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    for (const group of menu.querySelectorAll('.group')) group.hidden = !group.querySelector('li:not([hidden])');
  });

  const field = (label, input) => element('label', {}, label, input);
  const block = (title, text) => element('figure', {}, element('figcaption', { textContent: title }), element('pre', { textContent: text, tabIndex: 0 }));

  async function send(operation, inputs, body, output) {
    const query = new URLSearchParams();
    const headers = new Headers({ accept: 'application/json' });
    let path = operation.path;
    for (const [parameter, input] of inputs) {
      if (parameter.in === 'path') path = path.replace(':' + parameter.name, encodeURIComponent(input.value));
      else if (input.value !== '' && parameter.in === 'query') query.append(parameter.name, input.value);
      else if (input.value !== '') headers.set(parameter.name, input.value);
    }
    if (token !== '') headers.set('authorization', 'Bearer ' + token);
    if (body) headers.set('content-type', 'application/json');
    const began = performance.now();
    // Without the cookies of a signed-in person: only the token counts.
    const response = await fetch('/api/v1' + path + (query.size > 0 ? '?' + query : ''), { method: operation.method, headers, body: body?.value, credentials: 'omit', cache: 'no-store' });
    const text = await response.text();
    const ms = Math.round(performance.now() - began);
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // Not JSON: shown unchanged.
    }
    const lines = [...response.headers].map(([name, value]) => name + ': ' + value);
    output.replaceChildren(block('Status ' + response.status + ' · ' + ms + ' ms', shown || '(empty)'), block('Headers', lines.join('\n')));
    output.scrollIntoView({ block: 'nearest' });
  }

  function open(operation) {
    const secret = element('input', { type: 'password', autocomplete: 'off', spellcheck: false, value: token, placeholder: 'tnd_live_\u2026' });
    secret.addEventListener('input', () => (token = secret.value.trim()));
    const inputs = operation.parameters.map((parameter) => [parameter, element('input', { value: parameter.value, required: parameter.required, autocomplete: 'off', spellcheck: false })]);
    const body = operation.body === undefined ? undefined : element('textarea', { value: operation.body, spellcheck: false });
    const output = element('output', {});
    const submit = element('button', { textContent: 'Send' });
    const close = element('button', { type: 'button', className: 'quiet', textContent: 'Close' });
    const form = element('form', { autocomplete: 'off' }, field('API token, kept until you leave this page', secret));
    const fields = (some) => element('div', { className: 'fields' }, ...some.map(([{ name, required }, input]) => field(name + (required ? ' (required)' : ''), input)));
    const first = inputs.filter(([{ required, value }], i) => required || value !== '' || i < 6);
    const others = inputs.filter((input) => !first.includes(input));
    if (first.length > 0) form.append(fields(first));
    if (others.length > 0) form.append(element('details', {}, element('summary', { textContent: others.length + ' more' }), fields(others)));
    if (body) form.append(field('Body', body));
    if (operation.method !== 'GET') form.append(element('p', { textContent: 'This changes real data of your organization.' }));
    form.append(element('div', { className: 'buttons' }, close, submit));
    const dialog = element('dialog', {}, element('h2', { textContent: operation.method + ' /api/v1' + operation.path }), form, output);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        await send(operation, inputs, body, output);
      } catch {
        output.replaceChildren(block('No response', 'The request could not be sent. Check your connection.'));
      } finally {
        submit.disabled = false;
      }
    });
    close.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    (token === '' ? secret : submit).focus();
  }

  for (const button of document.querySelectorAll('[data-try]')) {
    button.hidden = false;
    button.addEventListener('click', () => open(JSON.parse(button.dataset.try)));
  }
})();
`;
