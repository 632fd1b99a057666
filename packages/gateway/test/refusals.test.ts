import { expect, test } from 'vitest';
import { createTestEmulator, leavesNoTrace, refusal, rejection, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';

const put = ({ kernel }: TestEmulator, Name: string, Text: string) =>
  kernel.callJson('notes', 'PutNote', { Name, Text }, { accountId: '000000000000', region: 'us-east-1' });

test('a request with effects is named together with the changed records', async () => {
  await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
  await put(emulator, 'old', 'a');
  await expect(leavesNoTrace(emulator, 'PutNote new', () => put(emulator, 'new', 'b'))).rejects.toThrow(
    /^PutNote new was answered, but it left its traces: notes \S+ 000000000000\/us-east-1 new \(emulator 1\) is new$/,
  );
  await expect(leavesNoTrace(emulator, 'PutNote old', () => put(emulator, 'old', 'c'))).rejects.toThrow(
    / old \(emulator 1\) has changed$/,
  );
  expect(await leavesNoTrace(emulator, 'nothing', async () => 'an answer')).toBe('an answer');
});

test('a refused request must have no effects, and a successful one is not refused', async () => {
  await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
  await put(emulator, 'old', 'a');
  const refused = async (): Promise<never> => {
    throw new Error('no');
  };
  const half = async (): Promise<never> => {
    await Promise.resolve();
    await put(emulator, 'new', 'b');
    throw new Error('no');
  };
  expect(await refusal(refused())).toMatchObject({ message: 'no' });
  await expect(refusal(half())).rejects.toThrow(
    /^the request was refused \(Error: no\), but it left its traces: .*new/,
  );
  expect(await rejection(half())).toMatchObject({ message: 'no' });
  await expect(refusal(put(emulator, 'old', 'a'))).rejects.toThrow('the request succeeded');
});
