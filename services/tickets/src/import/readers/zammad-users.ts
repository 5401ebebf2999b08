import type { CustomerRecord, TeammateRecord } from '@tandem/contracts';
import { UnusableResponse, type ApiClient } from './api-client';
import { IdSet, readRows, type Row } from './api-pages';
import { User } from './zammad-schemas';

export interface Person {
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  /** Whether they have another role than customer. */
  isStaff: boolean;
}

/** Users in memory: about 40 MB. Further ones are requested when a ticket needs them. */
const maxUsers = 200_000;
/** The user that Zammad itself is: the owner of tickets without one. */
const systemUser = 1;
/** The id of the role in a new installation, for versions that do not send names. */
const customerRole = 3;

/** The people that tickets and articles refer to by id. */
export class ZammadUsers {
  readonly #known = new Map<number, Person | undefined>();
  readonly #teammates = new IdSet();

  constructor(private readonly client: ApiClient) {}

  /** Loads all users, because a request per customer would double the time of an import. Yields the customers who have an address and a name. */
  async *load(readPage: (page: number) => Promise<Row[]>): AsyncGenerator<CustomerRecord> {
    for await (const row of readRows(readPage)) {
      const person = personOf(row);
      if (this.#known.size < maxUsers) this.#known.set(row.id, person);
      const name = person && fullName(person);
      if (person?.email && name && !person.isStaff) yield { key: String(row.id), email: person.email, name };
    }
  }

  /** Undefined for a user who was deleted, for Zammad itself, and for no user. */
  async find(id: number | null | undefined): Promise<Person | undefined> {
    if (id == null || id === systemUser) return undefined;
    if (!this.#known.has(id)) {
      const person = await this.#request(id);
      const [oldest] = this.#known.keys();
      if (this.#known.size >= maxUsers && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(id, person);
    }
    return this.#known.get(id);
  }

  async #request(id: number): Promise<Person | undefined> {
    try {
      return personOf(await this.client.json(`/api/v1/users/${id}?expand=true`));
    } catch (error) {
      if (error instanceof UnusableResponse) return undefined;
      throw error;
    }
  }

  /** The record of a member of staff the first time that it is needed. */
  newTeammate(id: number, { email, first_name, last_name }: Person): TeammateRecord | undefined {
    return this.#teammates.add(id) ? { key: String(id), email, first_name, last_name } : undefined;
  }
}

function personOf(row: unknown): Person | undefined {
  const { data } = User.safeParse(row);
  if (!data) return undefined;
  const { firstname, lastname, roles, role_ids } = data;
  const isLoginEmail = /^[^\s@]+@[^\s@]+$/.test(data.login ?? '');
  return {
    email: data.email?.trim() || (isLoginEmail ? data.login! : null),
    first_name: firstname?.trim() || null,
    last_name: lastname?.trim() || null,
    isStaff: roles ? roles.some((role) => role !== 'Customer') : (role_ids ?? []).some((role) => role !== customerRole),
  };
}

export const fullName = ({ first_name, last_name }: Pick<Person, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter((part) => part !== null).join(' ') || null;
