import { type Call, type Components, type Route, routesOf } from './route';
import { commentShape, taskShape } from './shapes';
import type { Comment, Task } from './state';
import { pageOfTasks } from './task-query';
import type { TaskChange, TaskInput } from './tasks';

export function taskRoutes(components: Components): Route[] {
  return [...oneTaskRoutes(components), ...manyTasksRoutes(components), ...commentRoutes(components)];
}

const markdown = ({ query }: Call): boolean => query.get('include_markdown_description') === 'true';

function oneTaskRoutes({ world, tasks }: Components): Route[] {
  const named = ({ token, params, query }: Call): Task => {
    if (query.get('custom_task_ids') !== 'true') return world.taskFor(token, params.task_id ?? '');
    return world.taskOfCustomId(token, query.get('team_id') ?? '', params.task_id ?? '');
  };
  return routesOf({
    'POST /v2/list/{list_id}/task': ({ token, user, params, body }) =>
      taskShape(world, tasks.create(world.listFor(token, params.list_id ?? ''), body as TaskInput, user)),
    'GET /v2/task/{task_id}': (call) => taskShape(world, named(call), { markdown: markdown(call), attachments: true }),
    'PUT /v2/task/{task_id}': (call) => taskShape(world, tasks.change(named(call), call.body as TaskChange, call.user)),
    'DELETE /v2/task/{task_id}': (call) => tasks.remove(named(call)),
    'POST /v2/task/{task_id}/tag/{tag_name}': (call) => {
      tasks.addTag(named(call), call.params.tag_name ?? '', call.user);
      return {};
    },
    'DELETE /v2/task/{task_id}/tag/{tag_name}': (call) => {
      tasks.removeTag(named(call), call.params.tag_name ?? '', call.user);
      return {};
    },
    'POST /v2/task/{task_id}/field/{field_id}': (call) => {
      tasks.setField(named(call), call.params.field_id ?? '', (call.body as { value: unknown }).value, call.user);
      return {};
    },
    'DELETE /v2/task/{task_id}/field/{field_id}': (call) => {
      tasks.setField(named(call), call.params.field_id ?? '', null, call.user);
      return {};
    },
  });
}

function manyTasksRoutes({ world }: Components): Route[] {
  const page = (call: Call, candidates: (task: Task) => boolean) => {
    const { tasks, last_page } = pageOfTasks(world, candidates, call.query);
    return { tasks: tasks.map((task) => taskShape(world, task, { markdown: markdown(call) })), last_page };
  };
  return routesOf({
    'GET /v2/list/{list_id}/task': (call) => {
      const { id } = world.listFor(call.token, call.params.list_id ?? '');
      // Tasks whose home is another list are included only on request.
      const others = call.query.get('include_timl') === 'true';
      return page(call, (task) => task.list_id === id || (others && (task.also_in?.includes(id) ?? false)));
    },
    'GET /v2/team/{team_Id}/task': (call) => {
      const { id } = world.teamFor(call.token, call.params.team_Id ?? '');
      const [lists, spaces, folders] = ['list_ids[]', 'space_ids[]', 'project_ids[]'].map((name) => call.query.getAll(name));
      const among = (wanted: string[] | undefined, place: string) => !wanted?.length || wanted.includes(place);
      return page(call, (task) => {
        const list = world.listOf(task);
        const named = among(lists, list.id) && among(spaces, list.space_id) && among(folders, list.folder_id);
        return named && world.teamOf(list).id === id;
      });
    },
  });
}

interface CommentBody {
  comment_text: string;
  assignee?: number | null;
  resolved?: boolean;
}

function commentRoutes({ world, comments }: Components): Route[] {
  const shape = (comment: Comment) => commentShape(world, comment, comments.replies(comment));
  // The reference documents a string here; real responses contain a number.
  const posted = ({ id, hist_id, date }: Comment) => ({ id, hist_id, date });
  const named = ({ token, params }: Call) => world.commentFor(token, params.comment_id ?? '');
  return routesOf({
    'GET /v2/task/{task_id}/comment': ({ token, params, query }) => {
      const start = query.get('start');
      const { id } = world.taskFor(token, params.task_id ?? '');
      return { comments: comments.page(id, start === null ? undefined : Number(start), query.get('start_id') ?? undefined).map(shape) };
    },
    'POST /v2/task/{task_id}/comment': ({ token, user, params, body }) => {
      const { comment_text, assignee } = body as CommentBody;
      return posted(comments.post(world.taskFor(token, params.task_id ?? ''), comment_text, user, { assignee }));
    },
    'PUT /v2/comment/{comment_id}': (call) => {
      const { comment_text: text, assignee, resolved } = call.body as CommentBody;
      comments.edit(named(call), { text, assignee, resolved }, call.user);
      return {};
    },
    'DELETE /v2/comment/{comment_id}': (call) => {
      comments.remove(named(call));
      return {};
    },
    'GET /v2/comment/{comment_id}/reply': (call) => {
      const { task_id, id } = named(call);
      return { comments: comments.all(task_id, id).map(shape) };
    },
    'POST /v2/comment/{comment_id}/reply': (call) => {
      const { comment_text, assignee } = call.body as CommentBody;
      const parent = named(call);
      const task = world.taskFor(call.token, parent.task_id);
      return posted(comments.post(task, comment_text, call.user, { parent_id: parent.id, assignee }));
    },
  });
}
