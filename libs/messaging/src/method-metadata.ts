import type { DiscoveryService, MetadataScanner } from '@nestjs/core';

/**
 * A method decorator that accepts any method callable as `M`, including one with fewer parameters:
 * TypedPropertyDescriptor is invariant, so a concrete type here would reject those.
 */
export type MethodDecoratorFor<M extends (...args: never[]) => unknown> = <T extends M>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<T>,
) => void;

/** Adds `metadata` to the method's metadata under `kind`; a method may have several. */
export function addMethodMetadata(kind: symbol, method: object | undefined, metadata: unknown): void {
  if (!method) throw new Error('This decorator belongs on a method');
  Reflect.defineMetadata(kind, [...methodMetadataOf(kind, method), metadata], method);
}

/** The metadata of a method under `kind`, in no particular order. */
export const methodMetadataOf = <T>(kind: symbol, method: object): T[] => (Reflect.getMetadata(kind, method) as T[] | undefined) ?? [];

/** A method of a provider or controller, with the metadata that its decorator added. */
export interface DecoratedMethod<T> {
  instance: object;
  /** For logs, for example `TicketEmails.onTicketCreated`. */
  name: string;
  key: string;
  metadata: T;
}

/** All methods of the application's classes with metadata under `kind`. A class that is both a provider and a controller is listed once. */
export function findDecoratedMethods<T>(kind: symbol, discovery: DiscoveryService, scanner: MetadataScanner): DecoratedMethod<T>[] {
  const seen = new Set<unknown>();
  const found: DecoratedMethod<T>[] = [];
  for (const wrapper of [...discovery.getProviders(), ...discovery.getControllers()]) {
    const { metatype } = wrapper;
    const instance = wrapper.instance as unknown;
    if (typeof instance !== 'object' || instance === null || typeof metatype !== 'function' || seen.has(metatype)) continue;
    const prototype = Object.getPrototypeOf(instance) as Record<string, object> | null;
    if (!prototype || instance.constructor !== metatype) continue;
    seen.add(metatype);
    for (const key of scanner.getAllMethodNames(prototype)) {
      for (const metadata of methodMetadataOf<T>(kind, prototype[key]!))
        found.push({ instance, name: `${metatype.name}.${key}`, key, metadata });
    }
  }
  return found;
}

export function callMethod({ instance, key }: DecoratedMethod<unknown>, ...args: unknown[]): unknown {
  return (instance as Record<string, (...args: unknown[]) => unknown>)[key]!(...args);
}
