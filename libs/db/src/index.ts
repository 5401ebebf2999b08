export * from './database';
export { DatabaseUnavailable } from './errors';
export * from './locks';
export * from './migrate';
export * from './paginate';
export * from './provision';
export * from './tables';
export * from './tenancy';
export { isoTimestamp, newId } from './values';
