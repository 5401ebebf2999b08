import type { Outcome, SandboxRequest } from '../http';
import type { House } from './route';
import type { Person } from './person';
export class Board {
  constructor(
    private readonly house: House,
    private readonly as: (email: string) => Person,
  ) {}
  handle(_request: SandboxRequest): Outcome {
    void this.house;
    void this.as;
    return { status: 404 };
  }
}
