import { CloudFormation, type DescribeChangeSetOutput, type StackEvent } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { asRecorded, createTestEmulator, differences, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHANGES, type RecordedChange, SNIPPETS } from './recorded/change-sets.ts';
import { type Answers, answersOf, deleteStacks, ended, hasRecordings } from './recorded/recordings.ts';

const ACCOUNT = '111111111111';
/** Functions of macros by name. */
const MACROS: Record<string, (fragment: string, event: MacroEvent) => string> = {
  SubstitutionMacro: (fragment, { templateParameterValues }) =>
    fragment.replaceAll('{Substitution}', templateParameterValues.Substitution!),
  ReplaceString: (fragment, { params }) => fragment.replace('<replace-this>', `${params.Input} <replace-this>`),
  AddTags: (fragment) => JSON.stringify({ ...JSON.parse(fragment), Tags: { MacroAdded: 'True' } }),
};
interface MacroEvent {
  fragment: object;
  params: Record<string, string>;
  templateParameterValues: Record<string, string>;
}
const lambda = fakeService('lambda', {
  Invoke: ({ FunctionName, Payload }: Record<string, unknown>) => {
    const event = JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as MacroEvent;
    const fragment = JSON.parse(MACROS[String(FunctionName)]!(JSON.stringify(event.fragment), event));
    return { StatusCode: 200, Payload: Buffer.from(JSON.stringify({ status: 'success', fragment })) };
  },
});

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [cloudformation, lambda, logs, s3, sns, ssm],
    settings: { accountId: ACCOUNT },
  });
  cfn = new CloudFormation(emulator.clientConfig());
  const objects = new S3(emulator.clientConfig());
  await objects.createBucket({ Bucket: 'snippets' });
  for (const [Key, Body] of Object.entries(SNIPPETS)) await objects.putObject({ Bucket: 'snippets', Key, Body });
  const macro = (Name: string) => ({
    Type: 'AWS::CloudFormation::Macro',
    Properties: { Name, FunctionName: Name },
    DeletionPolicy: 'Retain',
  });
  const Resources = Object.fromEntries(Object.keys(MACROS).map((name) => [name, macro(name)]));
  await cfn.createStack({ StackName: 'macros', TemplateBody: JSON.stringify({ Resources }) });
  await ended(cfn, 'macros');
});
afterAll(() => emulator?.close());

/**
 * Forms in which events were recorded: complete, latest first; or their distinctive members, and of consecutive events
 * with the same status only one, in earlier recordings the last, in later ones the first.
 */
const isWhole = (recorded: Record<string, StackEvent[]>): boolean =>
  Object.values(recorded).some(([event]) => event?.EventId !== undefined);

/** Returns events by resource, in the recorded form. */
function byResource(events: readonly StackEvent[], recorded: Record<string, StackEvent[]>) {
  const statuses = new Set(Object.values(recorded).flatMap((some) => some.map((event) => event.ResourceStatus)));
  // Some recordings exclude deletions.
  const seen = events.filter(({ ResourceStatus: status }) => statuses.has(status) || !/CLEANUP|DELETE/.test(status!));
  const keepsFirst = Object.values(recorded).some((some) => some.some((event) => event.PhysicalResourceId === ''));
  const grouped: Record<string, StackEvent[]> = {};
  const eventsOf = ({ LogicalResourceId: name, StackName }: StackEvent, stack: string): StackEvent[] => {
    const key = name === StackName ? stack : name!;
    grouped[key] ??= [];
    return grouped[key];
  };
  if (isWhole(recorded)) {
    const last = seen.findIndex(({ ResourceStatus }) => ResourceStatus === 'UPDATE_COMPLETE');
    for (const event of seen.slice(last)) eventsOf(event, '<stack-name:1>').push(event);
    return grouped;
  }
  for (const event of seen.reverse()) {
    const { LogicalResourceId, PhysicalResourceId, ResourceStatus, ResourceType, Timestamp } = event;
    const list = eventsOf(event, 'Stack');
    if (list.at(-1)?.ResourceStatus === ResourceStatus) {
      if (keepsFirst) continue;
      list.pop();
    }
    list.push({ LogicalResourceId, PhysicalResourceId, ResourceStatus, ResourceType, Timestamp } as StackEvent);
  }
  return grouped;
}

/**
 * Returns a response with the details of each change in a fixed order, which is random in AWS, and without the
 * replacement of added resources, which AWS returned for some time.
 */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const { Details, Replacement, ...more } = value as {
    Details?: Parameters<typeof keyOf>[0][];
    Replacement?: string;
    Action?: string;
  };
  return {
    ...Object.fromEntries(Object.entries(more).map(([name, member]) => [name, ordered(member)])),
    ...(Replacement !== undefined && more.Action !== 'Add' && { Replacement }),
    ...(Details && { Details: Details.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }),
  };
}

const keyOf = ({ Target, ...cause }: { Target?: { Name?: string }; CausingEntity?: string }): string =>
  [Target?.Name, ...Object.values(cause).sort()].join(' ');

const byName = ({ Changes = [], ...more }: DescribeChangeSetOutput) => ({
  ...more,
  Changes: Changes.sort((a, b) =>
    a.ResourceChange!.LogicalResourceId! < b.ResourceChange!.LogicalResourceId! ? -1 : 1,
  ),
});

const listed = (values: Record<string, string> = {}) =>
  Object.entries(values).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }));

/**
 * Creates a stack through a change set, updates and deletes it.
 * @returns each response that differs from the recorded one
 */
async function play(recorded: Answers, { from, to, before, after }: RecordedChange): Promise<string[]> {
  const known = new Map<string, string>();
  const found: string[] = [];
  const compare = (step: string, ours: unknown) => {
    const whole = JSON.stringify(recorded[step]);
    if (whole === undefined) return;
    // Some recordings are older than operation ids.
    const plain = JSON.stringify(ours, (name, value: unknown) =>
      /^(LastOperations|OperationId)$/.test(name) && !whole.includes(`"${name}"`) ? undefined : value,
    );
    found.push(...differences(ordered(JSON.parse(whole)) as never, ordered(JSON.parse(plain)) as never, known, step));
  };
  const StackName = 'recorded';
  const { Capabilities } = recorded['describe-change-set-1'] as DescribeChangeSetOutput;
  let StackId = '';
  for (const [turn, template, values, type] of [
    [1, from, before, 'CREATE'],
    [2, to, after, 'UPDATE'],
  ] as const) {
    const made = cfn.createChangeSet({
      StackName,
      ChangeSetName: 'changes',
      ChangeSetType: type,
      TemplateBody: JSON.stringify(template),
      Parameters: listed(values),
      ...(Capabilities?.length && { Capabilities }),
    });
    compare(`create-change-set-${turn}`, await asRecorded(made));
    const { Id: ChangeSetName, ...one } = await made;
    StackId = one.StackId!;
    for (const [step, IncludePropertyValues] of [
      [`describe-change-set-${turn}-prop-values`, true],
      [`describe-change-set-${turn}`, false],
    ] as const)
      compare(step, await asRecorded(cfn.describeChangeSet({ ChangeSetName, IncludePropertyValues }).then(byName)));
    compare(`execute-change-set-${turn}`, await asRecorded(cfn.executeChangeSet({ ChangeSetName })));
    compare(`post-create-${turn}-describe`, await ended(cfn, StackId));
  }
  await cfn.deleteStack({ StackName: StackId });
  compare('delete-describe', await ended(cfn, StackId));
  const { StackEvents } = await cfn.describeStackEvents({ StackName: StackId });
  const events = recorded['per-resource-events'] as Record<string, StackEvent[]> | undefined;
  if (events) compare('per-resource-events', byResource(StackEvents!, events));
  return found;
}

afterEach(() => cfn && deleteStacks(cfn));

describe.skipIf(!hasRecordings)('recorded change sets', () => {
  test.each(Object.entries(CHANGES))('%s', async (name, change) => {
    expect(await play(answersOf(name), change)).toEqual([]);
  });
});
