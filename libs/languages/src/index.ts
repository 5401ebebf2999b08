export * from './catalogs';
export { catalogProblems, placeholdersOf, wordingProblem } from './compile';
export * from './parts';
export { splitTags } from './tags';
export * from './translator';
