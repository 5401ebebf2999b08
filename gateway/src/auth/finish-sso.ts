import { operation } from '@tandem/contracts';
import * as z from 'zod';

/** The gateway's own operation: where an OpenID provider sends the browser back to. No API to call, so the API's document is silent about it. */
export const finishSso = operation({
  name: 'gateway.finishSso',
  summary: 'The way back from an OpenID provider: sets the session cookies and leads on to the page that was asked for.',
  owner: 'identity',
  method: 'GET',
  path: '/auth/oidc/callback/:organization_id',
  allow: 'public',
  handwritten: true,
  output: z.never(),
});
