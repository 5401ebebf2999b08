// oxlint-disable-next-line typescript/triple-slash-reference -- the packages of this repository have a configuration each
/// <reference path="./undici-files.d.ts" />
// Without undici's index, which also loads `fetch`, WebSocket, caches and mocks: docs/decisions/0058-files-of-undici.md.
import type * as undici from 'undici';
import { request } from 'undici/lib/api/index.js';
import AgentFile from 'undici/lib/dispatcher/agent.js';
import ClientFile from 'undici/lib/dispatcher/client.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import PoolFile from 'undici/lib/dispatcher/pool.js';

export { default as buildConnector } from 'undici/lib/core/connect.js';

/** Adds the method that undici's index adds. Called for each class: a bundle leaves out statements of a module that none of its exports needs. */
function complete<T>(dispatcher: T): T {
  Object.assign(Dispatcher.prototype, { request });
  return dispatcher;
}

export const Agent = complete(AgentFile);
export type Agent = undici.Agent;
export const Client = complete(ClientFile);
export type Client = undici.Client;
export const Pool = complete(PoolFile);
export type Pool = undici.Pool;
