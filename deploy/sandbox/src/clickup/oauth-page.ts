import type { Outcome, SandboxRequest } from '../http';
import type { House } from './route';
export const consentPage = (_house: House, _request: SandboxRequest): Outcome => ({ status: 404 });
