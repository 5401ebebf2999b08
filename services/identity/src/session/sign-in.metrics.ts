import { AppError } from '@tandem/contracts';
import { counter } from '@tandem/platform';

const attempts = counter(
  'tandem_sign_ins_total',
  'Sign-ins by step (password, second_step, oidc) and outcome: success, refused, locked_out (too many wrong attempts) or error (ours)',
  ['step', 'outcome'],
);

type Step = 'password' | 'second_step' | 'oidc';

export const countLockOut = (step: Step): void => attempts.add(1, { step, outcome: 'locked_out' });

/** Runs one step of a sign-in and counts its outcome. */
export async function countSignIn<T>(step: Step, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    attempts.add(1, { step, outcome: 'success' });
    return result;
  } catch (error) {
    attempts.add(1, { step, outcome: error instanceof AppError && error.status < 500 ? 'refused' : 'error' });
    throw error;
  }
}
