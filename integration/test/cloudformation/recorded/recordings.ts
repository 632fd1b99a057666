import type { CloudFormation, Stack } from '@aws-sdk/client-cloudformation';
import { asRecorded, differences, type Json } from '@emu/gateway/testing';
import { recordedTests } from '../../../../tools/testing/shared.ts';

/** Recorded responses of a test, by step name. */
export type Answers = Readonly<Record<string, unknown>>;

/** Returns a recording with placeholders for random values and times. */
const withPlaceholders = (text: string): string =>
  text
    .replace(/((?:CFN|<stack-name:1>)-\w+-)([A-Za-z0-9]{12})\b/g, '$1<random-$2:1>')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid-$&:1>')
    .replaceAll('<client-token is', '<client-token:1> is')
    .replaceAll('url_suffix', 'amazonaws.com')
    .replaceAll('"timestamp"', '"datetime"')
    // The recorder parsed JSON as Python.
    .replace(/"\{'(\w+)': '([\w-]+)'\}"/g, '{"$1":"$2"}')
    .replace(/-date"/g, '-<date>"');

const FOLDERS = ['cloudformation', 'cloudcontrol', 'resourcegroupstaggingapi', 'resource_groups'];
const recordings = recordedTests<Answers>(FOLDERS, withPlaceholders);
/** Whether the recordings exist on this machine. */
export const hasRecordings = recordings.size > 0;

/** Returns the responses of a recorded test. @param test end of its name, from its class or its own name on */
export function answersOf(test: string): Answers {
  const answers = recordings.get(test);
  if (!answers) throw new Error(`no recording of ${test}`);
  return answers;
}

/** Pattern of a failure in a recorded text, as written by Python clients. */
const CLIENT_ERROR = /^An error occurred \((\w+)\) when calling the \w+ operation: (.*)$/s;

/** Returns a response in recorded form: a failure may be its text, or without the status of its response. */
function inForm(recorded: unknown, ours: Json): Json {
  const refusal = (ours as { Error?: { Code: string; Message: string } }).Error;
  if (refusal === undefined) return ours;
  // The SDK of these tests uses the model's names for some errors.
  const failure = { ...refusal, Code: refusal.Code.replace(/^ChangeSetNotFoundException$/, 'ChangeSetNotFound') };
  if (typeof recorded === 'string') return `${failure.Code}: ${failure.Message}`;
  return isRecord(recorded) && 'Code' in recorded ? failure : { ...(ours as object), Error: failure };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns a recorded response without the error type, which SDKs do not return. */
function withoutBlame(recorded: unknown): unknown {
  if (typeof recorded === 'string') return recorded.replace(CLIENT_ERROR, '$1: $2');
  if (!isRecord(recorded)) return recorded;
  const { Type: _, ...failure } = recorded;
  if ('Code' in recorded && 'Message' in recorded) return failure;
  if (!isRecord(recorded.Error)) return recorded;
  const { message: _message, Message: _Message, ...more } = recorded;
  return { ...more, Error: withoutBlame(recorded.Error) };
}

/** Compares a response, or its failure, with the recorded one. */
export type Step = <Output>(name: string, running: Promise<Output> | Output) => Promise<Output>;

/** Replays a recorded test. @returns each response that differs from the recorded one */
export async function played(test: string, program: (step: Step) => Promise<unknown>): Promise<string[]> {
  const recorded = answersOf(test);
  const known = new Map<string, string>();
  const found: string[] = [];
  const step: Step = async (name, running) => {
    if (recorded[name] === undefined) throw new Error(`the recording has no step ${name}`);
    const whole = JSON.stringify(recorded[name]);
    const answered = running instanceof Promise && (await running.then(isAnswer, () => true));
    const output = answered ? await asRecorded(running as Promise<object>) : await running;
    // Some recordings are older than operation ids.
    const ours = JSON.parse(
      JSON.stringify(output, (key, value: unknown) =>
        /^(LastOperations|OperationId)$/.test(key) && !whole.includes(`"${key}"`) ? undefined : value,
      ),
    ) as Json;
    const expected = withoutBlame(recorded[name]);
    found.push(...differences(expected as Json, inForm(expected, ours), known, name));
    return (running instanceof Promise ? running.catch(() => ({})) : running) as never;
  };
  await program(step);
  return found;
}

const isAnswer = (value: unknown): boolean => isRecord(value) && '$metadata' in value;

/** Waits until no operation on a stack is in progress, for at most half a minute. @returns the stack */
export async function ended(cfn: CloudFormation, StackName: string): Promise<Stack> {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    if (/^REVIEW|(?<!_IN_PROGRESS)$/.test(Stacks![0]!.StackStatus!)) return Stacks![0]!;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not end`);
}

/** Deletes every stack, exporting ones after those that import from them. */
export async function deleteStacks(cfn: CloudFormation): Promise<void> {
  for (let Stacks: Stack[] = []; ; ) {
    ({ Stacks = [] } = await cfn.describeStacks({}));
    if (Stacks.length === 0) return;
    for (const { StackId } of Stacks) {
      const deleting = await cfn.deleteStack({ StackName: StackId }).catch((error: Error) => error);
      if (!(deleting instanceof Error)) await ended(cfn, StackId!);
      else if (!deleting.message.includes('is in use by')) throw deleting;
    }
  }
}
