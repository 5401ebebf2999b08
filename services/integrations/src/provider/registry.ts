import { clickup } from './clickup/clickup';
import { github } from './github/github';
import type { TaskTool } from './task-tool';

/** Every task tool there is. Another one is one more line. */
export const taskTools: Readonly<Record<string, TaskTool>> = { clickup, github };

/** Own keys only: `constructor` is not a task tool. */
export const findTaskTool = (key: string): TaskTool | undefined => (Object.hasOwn(taskTools, key) ? taskTools[key] : undefined);
