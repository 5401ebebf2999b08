export type { DeliveryRecord } from './deliveries';
export type { FaultAim, Faults } from './faults';
export type { SandboxAnswer } from './http';
export type { LoggedRequest } from './request-log';
export type { Violation } from './clickup/api';
export type { ClickUpSandboxOptions } from './clickup/options';
export type { Person } from './clickup/person';
export { ClickUpSandbox } from './clickup/sandbox';
export type { Comment, List, Task, Webhook } from './clickup/state';
