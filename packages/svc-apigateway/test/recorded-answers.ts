import * as sdk from '@aws-sdk/client-api-gateway';
import { asRecorded, createTestEmulator, differences, type Json, type TestEmulator } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { recordedTests } from '../../../tools/testing/shared.ts';
import { manifest } from '../src/manifest.ts';
import type { Api } from './support.ts';

/** Account of the recordings. */
export const ACCOUNT = '111111111111';

/** Starts an emulator with the account of the recordings, and a client that sends invalid requests unchanged. */
export async function startRecorded(): Promise<{ emulator: TestEmulator; api: sdk.APIGateway & Api }> {
  const emulator = await createTestEmulator({ manifests: [manifest], settings: { accountId: ACCOUNT } });
  return { emulator, api: new sdk.APIGateway(emulator.clientConfig()) as sdk.APIGateway & Api };
}

/** Operations of a JSON Patch. */
export type Patch = sdk.PatchOperation[];

/** Returns a patch of one operation, possibly unknown to AWS. */
export const patch = (op: string, path: string, value?: string): Patch => [
  { op: op as sdk.Op, path, ...(value !== undefined && { value }) },
];

type Answers = Readonly<Record<string, Json>>;

const recordings = recordedTests<Answers>(['apigateway']);
/** Whether the recordings are available. */
export const hasRecordings = recordings.size > 0;

/**
 * Returns the recorded responses of a test by step name.
 * @param test end of the test's name
 */
export function recordedAnswers(test: string): Answers {
  const answers = recordings.get(test);
  if (!answers) throw new Error(`no recording of ${test}`);
  return answers;
}

/** Records the response to a step of a program. */
export type Step = <Output extends object>(name: string, running: Promise<Output>) => Promise<Output>;
/** Requests of recorded tests, reimplemented, by test name. */
export type Programs = Readonly<Record<string, (step: Step) => Promise<unknown>>>;

/** Compares each response to the programs with the complete recorded one. */
export function describeRecorded(programs: Programs): void {
  describe.skipIf(!hasRecordings)('responds as recorded from AWS', () => {
    it.each(Object.keys(programs))('%s', async (test) => {
      const recorded = recordedAnswers(test);
      const known = new Map<string, string>();
      const found: string[] = [];
      const step: Step = async (name, running) => {
        const ours = await asRecorded(running);
        if (recorded[name] === undefined) throw new Error(`the recording has no step ${name}`);
        found.push(...differences(recorded[name], ours, known, name));
        return running.catch(() => ({}) as never);
      };
      await programs[test]!(step);
      expect(found).toEqual([]);
    });
  });
}
