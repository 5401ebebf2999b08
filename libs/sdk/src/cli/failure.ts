import { TandemError } from '../errors';

/** Exit codes: 1 a failure, 2 wrong usage, 3 not signed in, or the token is refused. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly hint: string,
    readonly exitCode: 1 | 2 | 3 = 1,
  ) {
    super(message);
  }
}

/** Any failure as a message with what to do about it. */
export function explain(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (!(error instanceof TandemError)) {
    const text = error instanceof Error ? error.message : String(error);
    return new CliError(text, 'Run the command again; if it fails again, report this message.');
  }
  const { code, status, message, requestId, retryAfterSeconds } = error;
  if (code === 'token.permission_missing')
    return new CliError(message, 'Create a token with this permission (Settings → API), then run `tandem login`.', 3);
  if (status === 401 || code.startsWith('token.'))
    return new CliError(message, 'Create or activate a token (Settings → API), then run `tandem login`.', 3);
  if (code === 'sdk.network' || code === 'sdk.timeout')
    return new CliError(message, 'Check that Tandem is running, and its URL: TANDEM_URL, or the one given to `tandem login`.');
  if (code === 'sdk.response' || code === 'sdk.redirect')
    return new CliError(message, 'Correct the URL: TANDEM_URL, or run `tandem login`.');
  if (status === 429) return new CliError(message, `Wait ${Math.ceil(retryAfterSeconds ?? 60)} seconds, then run the command again.`);
  if (status === 404) return new CliError(message, 'Check the id: the list commands show the ids (`tandem tickets list`).');
  if (status >= 500) return new CliError(message, `Run the command again; if it fails again, report the request ${requestId ?? ''}.`);
  return new CliError(message, `Correct the command and run it again (code ${code}, request ${requestId ?? 'unknown'}).`);
}
