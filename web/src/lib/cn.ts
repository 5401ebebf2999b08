import { clsx, type ClassValue } from 'clsx';

/** Joins class names. Components are written so that callers add classes and never have to win over one. */
export const cn = (...parts: ClassValue[]): string => clsx(parts);
