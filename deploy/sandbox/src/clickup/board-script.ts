/** The page's script, which runs in the browser: it polls once a second and shows changes, but does not replace a field being edited. */
export const boardScript = String.raw`
'use strict';
const at = (id) => document.getElementById(id);
const add = (parent, tag, text, className) => { const e = document.createElement(tag); if (text !== undefined) e.textContent = text; if (className) e.className = className; parent.append(e); return e; };
const option = (select, value, text, chosen) => { const e = add(select, 'option', text); e.value = value; e.selected = chosen; };
const priorities = { 1: 'Urgent', 2: 'High', 3: 'Normal', 4: 'Low' };
const dialog = at('task');
let board, list, task, version = '', failing = false;

async function ask(path, options) {
  const answer = await fetch(path, options);
  if (answer.status === 204) return undefined;
  const body = answer.headers.get('content-type').startsWith('application/json') ? await answer.json() : {};
  if (!answer.ok) throw new Error(body.error || 'The request failed (' + answer.status + ').');
  return body;
}
async function act(what, more) {
  const problem = at(dialog.open ? 'task-problem' : 'problem');
  problem.hidden = true;
  try {
    const done = await ask('/sandbox/do', { method: 'POST', headers: { 'content-type': 'application/json', 'x-sandbox': 'page' }, body: JSON.stringify({ as: at('me').value, do: what, ...more }) });
    await refresh();
    return done;
  } catch (error) { problem.textContent = error.message; problem.hidden = false; }
}

async function refresh() {
  try {
    const news = await ask('/sandbox/board?since=' + version);
    if (news) { board = news; version = String(news.version); show(); if (dialog.open && task) await showTask(); }
    else if (failing) showHealth();
    failing = false;
  } catch { failing = true; at('health').textContent = 'The task tool does not respond (is Tandem running?)'; at('health').className = 'health bad'; }
}

function show() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  list = board.lists.find((each) => each.id === wanted) || board.lists[0];
  showHealth();
  if (at('me').options.length === 0) for (const each of board.people) option(at('me'), each.email, each.username, each.email === 'agent@demo.test');
  const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : undefined;
  at('lists').replaceChildren(...board.lists.map(tab));
  at('list-name').textContent = list ? list.name : 'No lists';
  at('place').textContent = list ? list.place : '';
  at('create').hidden = !list;
  // Do not replace a select that is open in a card; the next poll shows the changes.
  if (!(document.activeElement && document.activeElement.matches('.card select') && busy)) at('columns').replaceChildren(...(list ? list.statuses.map(column) : []));
  if (focused) { const again = document.querySelector('[data-key="' + CSS.escape(focused) + '"]'); if (again) again.focus(); }
}
let busy = false;
document.addEventListener('mousedown', (event) => { busy = event.target instanceof Element && event.target.matches('.card select'); });
document.addEventListener('change', () => { busy = false; }, true);
document.addEventListener('focusout', () => { busy = false; });

function showHealth() {
  const bad = board.webhooks.filter((each) => each.status !== 'active');
  const text = board.webhooks.length === 0 ? 'No webhooks yet' : board.webhooks.length === 1 ? '1 webhook' : board.webhooks.length + ' webhooks';
  at('health').textContent = bad.length === 0 ? text : text + ', ' + bad.length + ' ' + (bad.every((each) => each.status === 'suspended') ? 'suspended' : 'failing');
  at('health').className = bad.length === 0 ? 'health' : 'health bad';
}
function tab(each) {
  const button = document.createElement('button');
  button.type = 'button'; button.dataset.key = 'list-' + each.id; button.setAttribute('aria-current', String(each === list)); button.title = each.place;
  add(button, 'span', each.name + ' '); add(button, 'small', String(each.count));
  button.onclick = () => { location.hash = each.id; };
  return button;
}
function column(status) {
  const section = document.createElement('section'), tasks = list.tasks.filter((each) => each.status === status.status);
  section.className = 'column'; section.setAttribute('aria-label', status.status);
  const head = add(section, 'h3'); add(head, 'span', '', 'dot').style.background = status.color; add(head, 'span', status.status); add(head, 'span', String(tasks.length));
  const cards = add(section, 'ul', undefined, 'cards');
  for (const each of tasks) card(cards, each);
  if (tasks.length === 0) add(section, 'p', 'No tasks', 'none');
  return section;
}
function card(parent, each) {
  const item = add(parent, 'li', undefined, 'card'), open = add(item, 'button', each.name, 'open');
  open.type = 'button'; open.dataset.key = 'open-' + each.id; open.onclick = () => openTask(each.id);
  const about = add(item, 'div', undefined, 'about');
  if (each.priority) add(about, 'span', priorities[each.priority], 'p' + each.priority);
  for (const id of each.assignees) add(about, 'span', (board.people.find((one) => one.id === id) || {}).username);
  for (const tag of each.tags) add(about, 'span', '#' + tag);
  if (each.comments) add(about, 'span', each.comments === 1 ? '1 comment' : each.comments + ' comments');
  if (!about.childNodes.length) about.remove();
  const select = add(item, 'select');
  select.setAttribute('aria-label', 'Status of ' + each.name); select.dataset.key = 'status-' + each.id;
  for (const status of list.statuses) option(select, status.status, status.status, status.status === each.status);
  select.onchange = () => act('status', { task: each.id, value: select.value });
}

async function openTask(id) {
  task = { id };
  for (const field of ['name', 'description']) delete at(field).dataset.was;
  at('comment').value = '';
  await showTask();
  if (task) dialog.showModal();
}
// Keeps unsaved input; all other fields show the current values.
function keep(field, value) { if (field.dataset.was === undefined || field.value === field.dataset.was) field.value = value; field.dataset.was = value; }
async function showTask() {
  try { task = await ask('/sandbox/tasks/' + task.id); } catch { task = undefined; dialog.close(); return; }
  const own = board.lists.find((each) => each.id === task.list_id);
  at('task-id').textContent = task.id;
  keep(at('name'), task.name); keep(at('description'), task.description);
  at('status').replaceChildren(); for (const each of own.statuses) option(at('status'), each.status, each.status, each.status === task.status);
  at('priority').value = task.priority ? String(task.priority) : '';
  at('list').replaceChildren(); for (const each of board.lists) option(at('list'), each.id, each.name, each.id === task.list_id);
  const people = at('assignees'), focused = document.activeElement.dataset.person;
  people.replaceChildren();
  for (const each of board.people) {
    const label = add(people, 'label'), box = add(label, 'input'); label.append(each.username);
    box.type = 'checkbox'; box.dataset.person = String(each.id); box.checked = task.assignees.includes(each.id);
    box.onchange = () => act(box.checked ? 'assign' : 'unassign', { task: task.id, value: String(each.id) });
    if (focused === String(each.id)) box.focus();
  }
  at('facts').replaceChildren();
  for (const [name, value] of [...task.fields.map((each) => [each.name, String(each.value)]), ...(task.tags.length ? [['Tags', task.tags.join(', ')]] : []), ...(task.due_date ? [['Due', new Date(task.due_date).toLocaleString()]] : [])]) { add(at('facts'), 'dt', name); add(at('facts'), 'dd', value); }
  at('comments').replaceChildren();
  for (const each of task.conversation) { const item = add(at('comments'), 'li'); add(item, 'div', each.by + ' · ' + new Date(each.date).toLocaleString(), 'muted'); add(item, 'p', each.text); }
  if (task.conversation.length === 0) add(at('comments'), 'li', 'No comments yet', 'muted');
}

at('create').onsubmit = async (event) => { event.preventDefault(); const value = at('new-name').value; at('new-name').value = ''; await act('create', { list: list.id, value }); };
at('comment-form').onsubmit = async (event) => { event.preventDefault(); const value = at('comment').value; at('comment').value = ''; await act('comment', { task: task.id, value }); };
at('status').onchange = (event) => act('status', { task: task.id, value: event.target.value });
at('priority').onchange = (event) => act('priority', { task: task.id, value: event.target.value });
at('list').onchange = (event) => act('move', { task: task.id, value: event.target.value });
at('save').onclick = async () => {
  const { id } = task, name = at('name').value, description = at('description').value, before = task;
  if (name !== before.name) await act('rename', { task: id, value: name });
  if (description !== before.description) await act('describe', { task: id, value: description });
};
at('delete').onclick = async () => { if (confirm('Delete this task?')) { const { id } = task; task = undefined; dialog.close(); await act('delete', { task: id }); } };
at('close').onclick = () => dialog.close();
window.onhashchange = () => { if (board) show(); };
refresh(); setInterval(() => { if (!document.hidden) refresh(); }, 1000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
`;
