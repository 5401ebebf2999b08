import 'reflect-metadata';
import { event } from '@tandem/contracts';
import * as z from 'zod';
import { methodMetadataOf } from '../method-metadata';
import { Consumes, durableName, eventConsumers } from './consumes';

const happened = event('thing.happened', 'tickets', z.object({}));
const ended = event('thing.ended', 'tickets', z.object({}));

describe('durableName', () => {
  it('is the service and the name of the consumer', () => {
    expect(durableName('tickets', 'auto-assignment')).toBe('tickets-auto-assignment');
    expect(durableName('identity', 'audit2')).toBe('identity-audit2');
  });

  it.each(['', 'Auto', 'auto.assignment', 'auto assignment', 'auto*', 'auto>', 'auto-', '-auto', 'auto--x', '2nd'])(
    'refuses %j, which JetStream would refuse or read as a wildcard',
    (name) => expect(() => durableName('tickets', name)).toThrow('is not in kebab-case'),
  );
});

describe('@Consumes', () => {
  class Effects {
    @Consumes(happened, { name: 'one', from: 'now' })
    onHappened() {}

    @Consumes(happened, { name: 'two', from: 'beginning', attempts: 3 })
    @Consumes(ended, { name: 'three', from: 'now' })
    onBoth() {}

    helper() {}
  }
  const consumersOf = (method: keyof Effects) => methodMetadataOf<{ options: { name: string } }>(eventConsumers, Effects.prototype[method]);

  it('adds its event and options to the method', () => {
    expect(consumersOf('onHappened')).toEqual([{ events: [happened], options: { name: 'one', from: 'now' } }]);
  });

  it('can be used several times on one method', () => {
    expect(
      consumersOf('onBoth')
        .map(({ options }) => options.name)
        .sort(),
    ).toEqual(['three', 'two']);
  });

  it('leaves other methods alone', () => expect(consumersOf('helper')).toEqual([]));

  it('is refused on anything but a method', () => {
    const decorate = Consumes(happened, { name: 'one', from: 'now' });
    expect(() => decorate({}, 'field', {} as never)).toThrow('belongs on a method');
  });
});
