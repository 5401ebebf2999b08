import { operation } from '@tandem/contracts';
import * as z from 'zod';

/** Handled by the gateway itself: the redirect target of OpenID providers. Not part of the API, so not in the OpenAPI document. */
export const finishSso = operation({
  name: 'gateway.finishSso',
  summary: 'Callback of an OpenID provider: sets the session cookies and redirects to the requested page.',
  owner: 'identity',
  method: 'GET',
  path: '/auth/oidc/callback/:organization_id',
  allow: 'public',
  handwritten: true,
  output: z.never(),
});
