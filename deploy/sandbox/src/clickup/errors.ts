/** An answer that is no success, with the body ClickUp sends. Codes that begin with `SANDBOX_` are ours, where ClickUp's is not documented. */
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

/** For ids that belong elsewhere **and** for ids that nobody ever gave out: such a 401 says nothing about the token. */
export const notAuthorized = (): ClickUpError => new ClickUpError(401, 'OAUTH_027', 'Team not authorized');
export const taskGone = (): ClickUpError => new ClickUpError(404, 'ITEM_013', 'Task not found, deleted');
/** ClickUp's code for a deleted list is not documented. */
export const listGone = (): ClickUpError => new ClickUpError(404, 'SANDBOX_LIST_DELETED', 'List not found, deleted');
