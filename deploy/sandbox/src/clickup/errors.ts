/** An error response with ClickUp's body. Codes that start with `SANDBOX_` are ours, because ClickUp's are not documented. */
export class ClickUpError extends Error {
  constructor(
    readonly status: number,
    readonly ecode: string,
    message: string,
  ) {
    super(message);
  }

  get body(): { err: string; ECODE: string } {
    return { err: this.message, ECODE: this.ecode };
  }
}

/** For ids of other workspaces **and** for ids that never existed: such a 401 does not mean that the token is invalid. */
export const notAuthorized = (): ClickUpError => new ClickUpError(401, 'OAUTH_027', 'Team not authorized');
export const taskGone = (): ClickUpError => new ClickUpError(404, 'ITEM_013', 'Task not found, deleted');
/** ClickUp's code for a deleted list is not documented. */
export const listGone = (): ClickUpError => new ClickUpError(404, 'SANDBOX_LIST_DELETED', 'List not found, deleted');
