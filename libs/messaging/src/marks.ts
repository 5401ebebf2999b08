import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

/**
 * A method decorator that accepts any method callable as `M`, also one with fewer parameters:
 * TypedPropertyDescriptor is invariant, so a concrete type here would reject those.
 */
export type MethodMark<M extends (...args: never[]) => unknown> = <T extends M>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/** Adds `mark` to the method's metadata under `kind`; a method may have several. */
export function addMark(kind: symbol, method: object | undefined, mark: unknown): void {
  if (!method) throw new Error('This decorator belongs on a method');
  Reflect.defineMetadata(kind, [...marksOf(kind, method), mark], method);
}

/** The marks of a method under `kind`, in no particular order. */
export const marksOf = <T>(kind: symbol, method: object): T[] => (Reflect.getMetadata(kind, method) as T[] | undefined) ?? [];

export interface Marked<T> {
  instance: object;
  /** For logs, for example `TicketEmails.onTicketCreated`. */
  name: string;
  method: string;
  mark: T;
}

/** All marked methods of the application's classes. A class that is both a provider and a controller is listed once. */
export function findMarked<T>(kind: symbol, discovery: DiscoveryService, scanner: MetadataScanner): Marked<T>[] {
  const seen = new Set<unknown>();
  const found: Marked<T>[] = [];
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    const { metatype } = wrapper;
    const instance = wrapper.instance as unknown;
    if (typeof instance !== 'object' || instance === null || typeof metatype !== 'function' || seen.has(metatype)) continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, object> | null;
    if (!prototype || instance.constructor !== metatype) continue;
    seen.add(metatype);
    for (const method of scanner.getAllMethodNames(prototype)) {
      for (const mark of marksOf<T>(kind, prototype[method]!)) found.push({ instance, name: `${metatype.name}.${method}`, method, mark });
    }
  }
  return found;
}

export function callMarked(marked: Marked<unknown>, ...args: unknown[]): unknown {
  return (marked.instance as Record<string, (...args: unknown[]) => unknown>)[marked.method]!(...args);
}
