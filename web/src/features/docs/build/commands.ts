/** The commands of 'Build with Tandem'. Only relative imports: the test that runs them in a terminal loads this file without a bundler. */
import { calls, sampleOf } from '../api-reference/calls';

const call = (id: string) => calls.find((each) => each.id === id)!;

export const setToken = 'export TANDEM_TOKEN=tnd_live_…';
/** `base`: the address of the API, up to and including `/api/v1`. */
export const firstRequest = (base: string): string => sampleOf({ ...call('list-tickets'), query: { limit: '1' } }, 'curl', base);
export const createTicket = (base: string): string => sampleOf(call('create-ticket'), 'curl', base);

/** Builds and installs the command `tandem`, in a copy of the repository. */
export const installCommand = `npm ci
npm run build -w libs/sdk
npm pack -w libs/sdk
npm install --global ./tandem-sdk-*.tgz`;
/** `origin`: the product's own address, which every computer resolves, unlike `acme.localhost` during development. */
export const signIn = (origin: string): string => `tandem login --url ${origin}`;
export const listen = 'tandem listen --forward-to http://localhost:4000/hook';
export const listenStarted = `Your webhook secret is whsec_…
Forwarding to http://localhost:4000/hook; press Ctrl-C to stop.`;
/** The output of `tandem listen` about an event in a terminal. */
export const undelivered = `at           2026-11-23T09:00:00.000Z
event        ticket.created
id           evt_01932d5c-0000-7000-8000-000000000003
position     1
error        no program is listening there: start yours
duration_ms  4`;

/** MCP is served at the product's own address only. */
export const connectAssistant = (origin: string): string =>
  `claude mcp add --transport http tandem ${origin}/mcp --header "Authorization: Bearer tnd_live_…"`;
