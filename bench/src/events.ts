import type { Benchmark } from './compare.ts';
import { alternate, type Figure } from './measure.ts';

/** Number of events in one round. */
const EVENTS = 2000;
const FEW = 10;
const MANY = 1000;

/**
 * PutEvents per second for a bus of a thousand rules compared with one of ten, in this process. The cost of matching
 * depends on the candidate rules. One rule matches; the others require another detail type or other values, with each
 * operator that an index can exclude.
 */
const rules: Benchmark = async ({ rounds }) => {
  const { createEmulator } = await import('@emu/emulator');
  await using emulator = await createEmulator();
  const { kernel } = emulator;
  const others = (kind: number, n: number): object => {
    switch (kind) {
      case 0:
        return { 'detail-type': [`Other${n}`] };
      case 1:
        return { source: ['app'], detail: { id: [`other-${n}`] } };
      case 2:
        return { detail: { id: [{ prefix: `other-${n}` }] } };
      default:
        return { detail: { size: [{ numeric: ['>', 1000 + n] }], id: [`other-${n}`] } };
    }
  };
  const bus = async (name: string, count: number): Promise<string> => {
    await kernel.call('events', 'CreateEventBus', { Name: name });
    await kernel.call('events', 'PutRule', {
      Name: 'match',
      EventBusName: name,
      EventPattern: '{"detail":{"id":["mine"]}}',
    });
    for (let n = 1; n < count; n++)
      await kernel.call('events', 'PutRule', {
        Name: `r${n}`,
        EventBusName: name,
        EventPattern: JSON.stringify(others(n % 4, n)),
      });
    return name;
  };
  const perSecond = (EventBusName: string) => async (): Promise<number> => {
    const Entries = [{ EventBusName, Source: 'app', DetailType: 'Order', Detail: '{"id":"mine","size":7}' }];
    const start = performance.now();
    for (let n = 0; n < EVENTS; n++) await kernel.call('events', 'PutEvents', { Entries });
    return EVENTS / ((performance.now() - start) / 1000);
  };
  const few = perSecond(await bus('few', FEW));
  const many = perSecond(await bus('many', MANY));
  await few();
  await many();
  const figures: Figure[] = [
    {
      name: `PutEvents against ${MANY} rules beside ${FEW}, of which one matches`,
      unit: 'events/s',
      target: { atLeast: 0.7 },
      ...(await alternate(rounds, many, few)),
    },
  ];
  return figures;
};

/** Benchmarks of PutEvents by name. */
export const eventsBenchmarks: Readonly<Record<string, Benchmark>> = { rules };
