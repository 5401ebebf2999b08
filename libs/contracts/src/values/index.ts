export * from './audit';
export * from './errors';
export * from './limits';
export * from './permissions';
export * from './tickets';
