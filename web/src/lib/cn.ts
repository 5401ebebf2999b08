import { clsx, type ClassValue } from 'clsx';

/** Joins class names. There is no conflict resolution: components are written so that callers only add classes, never override one. */
export const cn = (...parts: ClassValue[]): string => clsx(parts);
