import './app/first-reads';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from './app/ErrorPage';
import { AppRoutes } from './app/router';
import { watchTheme } from './lib/theme';
import './fonts.css';
import './styles.css';
import { Toasts } from './ui/Toast';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

watchTheme();
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <BrowserRouter>
        <AppRoutes />
        <Toasts />
      </BrowserRouter>
    </ErrorBoundary>
  </StrictMode>,
);
