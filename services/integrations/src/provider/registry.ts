import { clickup } from './clickup/clickup';
import { github } from './github/github';
import type { TaskTool } from './task-tool';

/** All task tools. A new provider needs one more entry here. */
export const taskTools: Readonly<Record<string, TaskTool>> = { clickup, github };

/** Own keys only: `constructor` is not a task tool. */
export const findTaskTool = (key: string): TaskTool | undefined => (Object.hasOwn(taskTools, key) ? taskTools[key] : undefined);
