import { randomBytes } from 'node:crypto';
import { ClickUpError } from './errors';
import type { Token, User } from './state';
import type { World } from './world';

export interface AccessOptions {
  clientId: string;
  clientSecret: string;
  /** Allowed redirect URIs. Empty: all, because this is a sandbox. */
  redirectUris: string[];
}

/** Tokens, and the codes that are exchanged for them. Tokens never expire, so there is no refresh. */
export class Access {
  constructor(
    private readonly world: World,
    readonly options: AccessOptions,
  ) {}

  /** The token of a request. Personal tokens are sent without prefix, those of applications with `Bearer`. */
  token(header: string | undefined): Token {
    if (!header) throw new ClickUpError(401, 'OAUTH_017', 'Authorization header required');
    const [, bearer] = /^Bearer (.+)$/.exec(header) ?? [];
    const token = this.world.tokens.get(bearer ?? header);
    if (!token || (token.client_id !== null) !== (bearer !== undefined)) throw new ClickUpError(401, 'OAUTH_019', 'Oauth token not found');
    if (token.revoked) throw new ClickUpError(401, token.revoked, 'Token invalid');
    return token;
  }

  /** Issues a token: for an application and the selected workspaces, or a personal one (`pk_…`) for all of the user's workspaces. */
  issue(user: User, { personal = false, team_ids, token: given }: { personal?: boolean; team_ids?: string[]; token?: string } = {}): Token {
    const text = randomBytes(24).toString('hex');
    const own = [...this.world.teams.values()].filter(({ member_ids }) => member_ids.includes(user.id)).map(({ id }) => id);
    const token: Token = {
      token: given ?? (personal ? `pk_${user.id}_${text.toUpperCase()}` : `${user.id}_${text}`),
      user_id: user.id,
      client_id: personal ? null : this.options.clientId,
      team_ids: team_ids ?? own,
      revoked: null,
    };
    this.world.tokens.set(token.token, token);
    this.world.changed();
    return token;
  }

  /** The reason why the browser must not be redirected there, or undefined. */
  refusal(client_id: string | null, redirect_uri: string | null): ClickUpError | undefined {
    if (client_id !== this.options.clientId) return new ClickUpError(400, 'OAUTH_010', 'Client not found');
    if (!redirect_uri) return new ClickUpError(401, 'OAUTH_017', 'Redirect URI not passed');
    const { redirectUris } = this.options;
    const known = redirectUris.length === 0 ? /^https?:$/.test(protocolOf(redirect_uri)) : redirectUris.includes(redirect_uri);
    return known ? undefined : new ClickUpError(400, 'OAUTH_007', 'Redirect URI does not match');
  }

  grant(user: User, team_ids: string[]): string {
    const code = randomBytes(16).toString('hex').toUpperCase();
    this.world.codes.set(code, { code, user_id: user.id, team_ids, used: false });
    this.world.changed();
    return code;
  }

  /** A code can be exchanged for one token only. */
  exchange({ client_id, client_secret, code: given }: { client_id: string; client_secret: string; code: string }): Token {
    if (client_id !== this.options.clientId) throw new ClickUpError(400, 'OAUTH_010', 'Client not found');
    if (client_secret !== this.options.clientSecret) throw new ClickUpError(401, 'OAUTH_011', 'Client secret invalid');
    const code = this.world.codes.get(given);
    if (!code) throw new ClickUpError(400, 'OAUTH_013', 'Code not found');
    if (code.used) throw new ClickUpError(400, 'OAUTH_014', 'Code already used');
    code.used = true;
    return this.issue(this.world.user(code.user_id), { team_ids: code.team_ids });
  }
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');
