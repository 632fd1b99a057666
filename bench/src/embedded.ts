import { type Figure, median } from './measure.ts';

/** Limit in milliseconds for the creation of further emulators in a process. */
const LIMIT = 5;
const WARM_UP = 3;
const CREATIONS = 200;

/**
 * Measures the cost of a new emulator for a test: the median time of creation and a first response, after a few
 * emulators.
 */
export async function embeddedCreation(): Promise<Figure[]> {
  const { createEmulator } = await import('@emu/emulator');
  const times: number[] = [];
  for (let creation = 0; creation < WARM_UP + CREATIONS; creation++) {
    const start = performance.now();
    const emulator = await createEmulator();
    // Services are loaded with their first request.
    await emulator.control.sqs.messages();
    times.push(performance.now() - start);
    await emulator.close();
  }
  const value = median(times.slice(WARM_UP));
  return [
    {
      name: 'creating an embedded emulator and a first answer of SQS, beside the limit',
      value,
      reference: LIMIT,
      unit: 'ms',
      ratio: value / LIMIT,
      target: { atMost: 1 },
      rounds: CREATIONS,
    },
  ];
}
