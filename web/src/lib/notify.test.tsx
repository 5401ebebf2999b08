import { render, screen, waitFor } from '@testing-library/react';
import { Toasts } from '../ui/Toast';
import { notify } from './notify';

const problem = { success: false, type: 'about:blank', title: 'Please try again.', status: 500, code: 'internal', request_id: '' };

it('joins a sentence and the server’s reason with one period', async () => {
  render(<Toasts />);
  notify.problem(problem, 'Failed to save branding settings.');
  expect(await screen.findByText('Failed to save branding settings. Please try again.')).toBeInTheDocument();
});

it('dismisses a page’s error when the failed action succeeds', async () => {
  render(<Toasts />);
  notify.error('Failed to save SLA policy.');
  expect(await screen.findByText('Failed to save SLA policy.')).toBeInTheDocument();
  notify.success('SLA policy created successfully.');
  expect(await screen.findByText('SLA policy created successfully.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText('Failed to save SLA policy.')).not.toBeInTheDocument());
});
