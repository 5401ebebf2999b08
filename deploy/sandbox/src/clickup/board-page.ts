import type { SandboxAnswer } from '../http';

/** Allows our own script file, our own style file, and no other server. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export const htmlAnswer = (body: string, status = 200): SandboxAnswer => ({
  status,
  body,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    // With 'no-referrer' browsers would send `Origin: null` with our own form.
    'referrer-policy': 'same-origin',
  },
});

/** The board's HTML. board-script.ts fills in everything that changes. */
export const boardPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Task tool · Tandem</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/sandbox/page.css">
</head>
<body>
<header class="top">
  <div><h1>Task tool</h1><p class="muted">A local replacement for ClickUp. Nothing leaves this machine.</p></div>
  <p id="health" class="health" role="status"></p>
  <label class="me">You are <select id="me"></select></label>
</header>
<nav id="lists" aria-label="Lists"></nav>
<main>
  <div class="bar">
    <div><h2 id="list-name"></h2><p id="place" class="muted"></p></div>
    <form id="create"><label class="unseen" for="new-name">Name of the new task</label>
      <input id="new-name" placeholder="New task" maxlength="500" required autocomplete="off"><button class="primary">Add</button></form>
  </div>
  <p id="problem" class="problem" role="alert" hidden></p>
  <div id="columns"></div>
</main>
<dialog id="task" aria-labelledby="task-title">
  <div class="dialog-head"><h2 id="task-title">Task</h2><span id="task-id" class="muted"></span><button id="close" type="button">Close</button></div>
  <p id="task-problem" class="problem" role="alert" hidden></p>
  <label for="name">Name</label><input id="name" maxlength="500">
  <div class="grid">
    <div><label for="status">Status</label><select id="status"></select></div>
    <div><label for="priority">Priority</label><select id="priority"><option value="">None</option><option value="1">Urgent</option><option value="2">High</option><option value="3">Normal</option><option value="4">Low</option></select></div>
    <div><label for="list">List</label><select id="list"></select></div>
  </div>
  <fieldset><legend>Assignees</legend><div id="assignees" class="choices"></div></fieldset>
  <label for="description">Description (Markdown)</label><textarea id="description" rows="7"></textarea>
  <dl id="facts"></dl>
  <p class="buttons"><button id="save" type="button" class="primary">Save name and description</button><button id="delete" type="button" class="danger">Delete task</button></p>
  <h3>Comments</h3>
  <ul id="comments"></ul>
  <form id="comment-form"><label for="comment">Write a comment</label><textarea id="comment" rows="3" required></textarea><button class="primary">Comment</button></form>
</dialog>
<script src="/sandbox/page.js"></script>
</body>
</html>
`;
