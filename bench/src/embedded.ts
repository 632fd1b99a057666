import { type Figure, median } from './measure.ts';

/** Milliseconds that creating an emulator inside a process may take once there has been one. */
const LIMIT = 5;
const WARM_UP = 3;
const CREATIONS = 200;

/** What a test pays that has an emulator of its own: the median creation with a first answer, after the first few. */
export async function embeddedCreation(): Promise<Figure[]> {
  const { createEmulator } = await import('@emu/emulator');
  const times: number[] = [];
  for (let creation = 0; creation < WARM_UP + CREATIONS; creation++) {
    const start = performance.now();
    const emulator = await createEmulator();
    // Services come with their first request.
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
