export * from './catalogs';
export { catalogProblems, placeholdersOf, wordingProblem } from './compile';
export * from './parts';
export { splitTags } from './runtime';
export * from './translator';
