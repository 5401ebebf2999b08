import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';

/** Idle processes return memory within 15 seconds, or two minutes after the last time; unused connections to PostgreSQL are closed after 15 seconds. */
const idleSeconds = 125;

/** Waits until processes have returned the memory that they do not need without requests. */
export const untilIdle = (): Promise<void> => step(`${idleSeconds} seconds without requests`, () => sleep(idleSeconds * 1_000));
