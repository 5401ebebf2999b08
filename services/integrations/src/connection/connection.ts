/** What `Secrets` seals the tokens of task tools for: a value that was sealed for one of these opens for nothing else. */
export const tokenPurpose = 'task-tool-token';
export const refreshTokenPurpose = 'task-tool-refresh-token';
