import type { AutomationExecution, StartAutomationExecutionCommandInput, StepExecution } from '@aws-sdk/client-ssm';
import { fakeService } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, DAY, failureOf, REGION, type SsmTest, startSsm } from './support.ts';

let t: SsmTest;
beforeAll(async () => {
  t = await startSsm({ settings: { values: { EMULATOR_CONTAINER_BACKEND: 'process' } } });
});
afterAll(() => t[Symbol.asyncDispose]());

let made = 0;
/**
 * Creates a runbook.
 * @returns its name
 */
async function runbook(mainSteps: object[], more: object = {}): Promise<string> {
  const Name = `runbook-${++made}`;
  const Content = JSON.stringify({ schemaVersion: '0.3', mainSteps, ...more });
  await t.ssm.createDocument({ Name, Content, DocumentType: 'Automation' });
  return Name;
}

const start = async (DocumentName: string, more: Partial<StartAutomationExecutionCommandInput> = {}) =>
  (await t.ssm.startAutomationExecution({ DocumentName, ...more })).AutomationExecutionId!;
const get = async (AutomationExecutionId: string): Promise<AutomationExecution> =>
  (await t.ssm.getAutomationExecution({ AutomationExecutionId })).AutomationExecution!;
const stepsOf = ({ StepExecutions = [] }: AutomationExecution) =>
  StepExecutions.map(({ StepName, StepStatus }) => [StepName, StepStatus]);
const status = (id: string) => async () => (await get(id)).AutomationExecutionStatus;
const reaches = (id: string, wanted: string) => expect.poll(status(id), { interval: 5, timeout: 10_000 }).toBe(wanted);

/** Runs a runbook to its end. */
async function run(steps: object[], more: object = {}, request: Partial<StartAutomationExecutionCommandInput> = {}) {
  const id = await start(await runbook(steps, more), request);
  await expect.poll(status(id), { interval: 5, timeout: 10_000 }).not.toMatch(/^(Pending|InProgress)$/);
  return get(id);
}

const put = (name: string, value: string) => ({
  name: `put_${name}`,
  action: 'aws:executeAwsApi',
  inputs: { Service: 'ssm', Api: 'PutParameter', Name: name, Value: value, Type: 'String', Overwrite: true },
});
const pause = { name: 'hold', action: 'aws:pause', inputs: {} };

describe('an execution', () => {
  test('calls services, selects outputs and passes them on', async () => {
    await t.put('source', 'from the store');
    const execution = await run(
      [
        {
          name: 'read',
          action: 'aws:executeAwsApi',
          inputs: { Service: 'ssm', Api: 'get_parameter', Name: '{{ Source }}' },
          outputs: [{ Name: 'Text', Selector: '$.Parameter.Value', Type: 'String' }],
        },
        { ...put('copied', '{{ read.Text }} in {{ global:REGION }}, {{ ssm:source }}'), isEnd: true },
      ],
      {
        parameters: { Source: { type: 'String' }, Unused: { type: 'StringList', default: ['a', 'b'] } },
        outputs: ['read.Text', 'missing.Text'].slice(0, 1),
      },
      { Parameters: { Source: ['source'] } },
    );
    expect(execution).toMatchObject({
      AutomationExecutionStatus: 'Success',
      DocumentVersion: '1',
      Mode: 'Auto',
      Parameters: { Source: ['source'], Unused: ['a', 'b'] },
      Outputs: { 'read.Text': ['from the store'] },
      ExecutedBy: `arn:aws:iam::${ACCOUNT}:root`,
    });
    expect(execution.StepExecutions![0]).toMatchObject({
      StepName: 'read',
      Action: 'aws:executeAwsApi',
      StepStatus: 'Success',
      Inputs: { Service: '"ssm"', Name: '"source"' },
      NextStep: 'put_copied',
      ValidNextSteps: ['put_copied'],
    });
    expect(execution.StepExecutions![0]!.Outputs!.Text).toEqual(['from the store']);
    expect(await t.value('copied')).toBe(`from the store in ${REGION}, from the store`);
  });

  test('rejects references to unknown values', async () => {
    const DocumentName = await runbook([pause], {
      parameters: { Action: { type: 'String', allowedValues: ['Install', 'Uninstall'] } },
    });
    const failure = (more: object) => failureOf(start(DocumentName, more));
    expect(await failure({})).toBe(
      'InvalidAutomationExecutionParametersException: Missing required parameter: Action in user inputs.',
    );
    expect(await failure({ Parameters: { Action: ['install'] } })).toBe(
      'InvalidAutomationExecutionParametersException: Parameter "Action" has value "install" not found in [Install, Uninstall].',
    );
    expect(await failure({ Parameters: { Other: ['x'] } })).toMatch(/^InvalidAutomationExecutionParametersException/);
    expect(await failureOf(start('unknown'))).toMatch(/^AutomationDefinitionNotFoundException/);
    expect(await failureOf(start('AWS-RunShellScript'))).toMatch(/^AutomationDefinitionNotFoundException/);
    expect(await failure({ DocumentVersion: '7' })).toMatch(/^AutomationDefinitionVersionNotFoundException/);
    const AutomationExecutionId = '00000000-0000-0000-0000-000000000000';
    for (const request of [
      t.ssm.getAutomationExecution({ AutomationExecutionId }),
      t.ssm.describeAutomationStepExecutions({ AutomationExecutionId }),
      t.ssm.stopAutomationExecution({ AutomationExecutionId }),
      t.ssm.sendAutomationSignal({ AutomationExecutionId, SignalType: 'Approve' }),
    ])
      expect(await failureOf(request)).toMatch(/^AutomationExecutionNotFoundException/);
  });

  test("ends with the failure of a step, with AWS's message", async () => {
    const execution = await run([
      { name: 'read', action: 'aws:executeAwsApi', inputs: { Service: 'ssm', Api: 'GetParameter', Name: 'nothing' } },
      pause,
    ]);
    expect(execution.AutomationExecutionStatus).toBe('Failed');
    expect(execution.FailureMessage).toMatch(
      /^Step fails when it is Execute\/Cancelling action\. An error occurred \(ParameterNotFound\) when calling the GetParameter operation: .*Please refer to Automation Service Troubleshooting Guide for more diagnosis details\.$/,
    );
    expect(stepsOf(execution)).toEqual([
      ['read', 'Failed'],
      ['hold', 'Pending'],
    ]);
    const asserted = await run([
      {
        name: 'check',
        action: 'aws:assertAwsResourceProperty',
        inputs: {
          Service: 'ssm',
          Api: 'GetParameter',
          Name: 'source',
          PropertySelector: '$.Parameter.Value',
          DesiredValues: ['x', 'y'],
        },
      },
    ]);
    expect(asserted.FailureMessage).toBe(
      "Step fails when it is Execute/Cancelling action. Property value 'from the store' from the API output is not in the desired values. Desired values: ['x', 'y'].. Please refer to Automation Service Troubleshooting Guide for more diagnosis details.",
    );
  });

  test.each([
    ['Continue', {}, 'Success', 'Success'],
    ['Continue', { isCritical: true }, 'Failed', 'Success'],
    ['step:put_after', {}, 'Failed', 'Success'],
    ['step:put_after', { isCritical: false }, 'Success', 'Success'],
    ['Abort', {}, 'Failed', 'Pending'],
  ])('onFailure %s with %o ends in %s', async (onFailure, more, ended, after) => {
    const broken = {
      name: 'broken',
      action: 'aws:executeAwsApi',
      inputs: { Service: 'ssm', Api: 'GetParameter', Name: 'nothing' },
    };
    const execution = await run([{ ...broken, onFailure, ...more }, put('after', 'x')]);
    expect(execution.AutomationExecutionStatus).toBe(ended);
    expect(stepsOf(execution)).toEqual([
      ['broken', 'Failed'],
      ['put_after', after],
    ]);
  });

  test('starts once per client token', async () => {
    const DocumentName = await runbook([pause]);
    const ClientToken = '11111111-2222-3333-4444-555555555555';
    const id = await start(DocumentName, { ClientToken });
    expect(await start(DocumentName, { ClientToken })).toBe(id);
    expect(await failureOf(start(DocumentName, { ClientToken, Mode: 'Interactive' }))).toMatch(
      /^IdempotentParameterMismatch/,
    );
  });
});

describe('actions', () => {
  test('sleeps on the emulated clock', async () => {
    const id = await start(await runbook([{ name: 'rest', action: 'aws:sleep', inputs: { Duration: 'PT10M' } }]));
    await expect.poll(async () => (await get(id)).CurrentStepName, { interval: 5 }).toBe('rest');
    await t.advance(599_000);
    expect(await status(id)()).toBe('InProgress');
    await t.advance(1_000);
    await reaches(id, 'Success');
  });

  test('branches to the first choice that matches', async () => {
    const steps = [
      {
        name: 'choose',
        action: 'aws:branch',
        inputs: {
          Choices: [
            { NextStep: 'put_small', Variable: '{{ Size }}', NumericLesser: 10 },
            {
              NextStep: 'put_odd',
              And: [{ Variable: '{{ Name }}', StartsWith: 'odd' }, { Not: { Variable: '{{ Name }}', EndsWith: 'x' } }],
            },
          ],
          Default: 'put_other',
        },
      },
      { ...put('small', 'x'), isEnd: true },
      { ...put('odd', 'x'), isEnd: true },
      put('other', 'x'),
    ];
    const parameters = { Size: { type: 'Integer', default: 50 }, Name: { type: 'String', default: 'odd' } };
    const taken = async (Parameters: Record<string, string[]>) =>
      stepsOf(await run(steps, { parameters }, Object.keys(Parameters).length > 0 ? { Parameters } : {}))
        .filter(([, one]) => one === 'Success')
        .map(([name]) => name);
    expect(await taken({ Size: ['5'] })).toEqual(['choose', 'put_small']);
    expect(await taken({})).toEqual(['choose', 'put_odd']);
    expect(await taken({ Name: ['odd-x'] })).toEqual(['choose', 'put_other']);
  });

  test('loops over values and keeps results in variables', async () => {
    const execution = await run(
      [
        {
          name: 'each',
          action: 'aws:loop',
          inputs: {
            Iterators: '{{ Names }}',
            IteratorDataType: 'String',
            Steps: [
              {
                name: 'keep',
                action: 'aws:updateVariable',
                inputs: {
                  Name: 'variable:Seen',
                  Value: '{{ variable:Seen }}{{ each.CurrentIteratorValue }}{{ each.CurrentIteration }}',
                },
              },
            ],
          },
        },
      ],
      {
        parameters: { Names: { type: 'StringList', default: ['a', 'b'] } },
        variables: { Seen: { type: 'String', default: '-' } },
        outputs: ['variable:Seen'],
      },
    );
    expect(execution).toMatchObject({
      AutomationExecutionStatus: 'Success',
      Outputs: { 'variable:Seen': ['-a1b2'] },
      Variables: { Seen: ['-a1b2'] },
    });
    const Filters = [{ Key: 'ParentStepIteration' as const, Values: ['2'] }];
    const { StepExecutions } = await t.ssm.describeAutomationStepExecutions({
      AutomationExecutionId: execution.AutomationExecutionId,
      Filters,
    });
    expect(StepExecutions).toMatchObject([
      {
        StepName: 'keep',
        ParentStepDetails: { StepName: 'each', Action: 'aws:loop', Iteration: 2, IteratorValue: 'b' },
      },
    ]);
  });

  test('runs another runbook with executeAutomation and passes on its outcome', async () => {
    const inner = await runbook([put('inner', '{{ Text }}')], {
      parameters: { Text: { type: 'String' } },
      outputs: ['put_inner.Version'],
    });
    const outer = (RuntimeParameters: object) => [
      {
        name: 'nested',
        action: 'aws:executeAutomation',
        inputs: { DocumentName: inner, RuntimeParameters },
      },
    ];
    const execution = await run(outer({ Text: ['deep'] }));
    expect(execution.AutomationExecutionStatus).toBe('Success');
    expect(await t.value('inner')).toBe('deep');
    const { ExecutionId } = execution.StepExecutions![0]!.Outputs!;
    expect(await get(ExecutionId![0]!)).toMatchObject({ ParentAutomationExecutionId: execution.AutomationExecutionId });
    expect((await run(outer({}))).FailureMessage).toContain('Missing required parameter: Text in user inputs.');
  });

  test('waits for a property', async () => {
    await t.put('state', 'starting');
    const wait = {
      name: 'wait',
      action: 'aws:waitForAwsResourceProperty',
      timeoutSeconds: 60,
      inputs: {
        Service: 'ssm',
        Api: 'GetParameter',
        Name: 'state',
        PropertySelector: '$.Parameter.Value',
        DesiredValues: ['ready'],
      },
    };
    const id = await start(await runbook([wait]));
    await expect.poll(async () => (await get(id)).CurrentStepName, { interval: 5 }).toBe('wait');
    await t.advance(20_000);
    expect(await status(id)()).toBe('InProgress');
    await t.put('state', 'ready', { Overwrite: true });
    await t.advance(10_000);
    await reaches(id, 'Success');
    await t.put('state', 'broken', { Overwrite: true });
    const late = await start(await runbook([wait]));
    await expect.poll(async () => (await get(late)).CurrentStepName, { interval: 5 }).toBe('wait');
    await t.advance(61_000);
    await reaches(late, 'TimedOut');
    expect(stepsOf(await get(late))).toEqual([['wait', 'TimedOut']]);
  });

  test('runs Python with executeScript', async () => {
    const execution = await run(
      [
        {
          name: 'script',
          action: 'aws:executeScript',
          inputs: {
            Runtime: 'python3.11',
            Handler: 'add',
            InputPayload: { numbers: [1, 2, 3] },
            Script: 'def add(events, context):\n  print("adding")\n  return {"sum": sum(events["numbers"])}\n',
          },
          outputs: [{ Name: 'Sum', Selector: '$.Payload.sum', Type: 'Integer' }],
        },
      ],
      { outputs: ['script.Sum'] },
    );
    expect(execution.FailureMessage).toBeUndefined();
    expect(execution.Outputs).toEqual({ 'script.Sum': ['6'] });
  });
});

describe('signals', () => {
  const waiting = async (id: string): Promise<StepExecution> => {
    await reaches(id, 'Waiting');
    return (await get(id)).StepExecutions!.find(({ StepStatus }) => StepStatus === 'Waiting')!;
  };
  const signal = (AutomationExecutionId: string, SignalType: string, Payload?: Record<string, string[]>) =>
    t.ssm.sendAutomationSignal({
      AutomationExecutionId,
      SignalType: SignalType as 'Approve',
      ...(Payload && { Payload }),
    });

  test('decides a waiting step by approve and reject', async () => {
    const approval = { name: 'ask', action: 'aws:approve', inputs: { Approvers: [`arn:aws:iam::${ACCOUNT}:root`] } };
    const approved = await start(await runbook([approval]));
    await waiting(approved);
    await signal(approved, 'Approve', { Comment: ['fine'] });
    await reaches(approved, 'Success');
    const [step] = (await get(approved)).StepExecutions!;
    expect(step!.Outputs).toMatchObject({ ApprovalStatus: ['Approved'] });
    expect(JSON.parse(step!.Outputs!.ApproverDecisions![0]!)).toMatchObject({ decision: 'Approve', comment: 'fine' });
    expect(await failureOf(signal(approved, 'Approve'))).toMatch(/^InvalidAutomationSignalException/);
    const rejected = await start(await runbook([approval]));
    await waiting(rejected);
    await signal(rejected, 'Reject');
    await reaches(rejected, 'Failed');
    const late = await start(await runbook([approval]));
    await waiting(late);
    await t.advance(7 * DAY);
    await reaches(late, 'TimedOut');
  });

  test('ends a pause by resume, and cancels by stop', async () => {
    const id = await start(await runbook([pause]));
    const { StepExecutionId } = await waiting(id);
    expect(await failureOf(signal(id, 'Resume', { StepExecutionId: ['none'] }))).toMatch(
      /^AutomationStepNotFoundException/,
    );
    await signal(id, 'Resume', { StepExecutionId: [StepExecutionId!] });
    await reaches(id, 'Success');
    const stopped = await start(await runbook([pause, put('never', 'x')]));
    await waiting(stopped);
    await t.ssm.stopAutomationExecution({ AutomationExecutionId: stopped });
    await reaches(stopped, 'Cancelled');
    expect(stepsOf(await get(stopped))).toEqual([
      ['hold', 'Cancelled'],
      ['put_never', 'Pending'],
    ]);
    expect(await failureOf(t.ssm.stopAutomationExecution({ AutomationExecutionId: stopped }))).toMatch(
      /^InvalidAutomationStatusUpdateException/,
    );
    const cleaned = await start(await runbook([{ ...pause, onCancel: 'step:put_cleaned' }, put('cleaned', 'up')]));
    await waiting(cleaned);
    await t.ssm.stopAutomationExecution({ AutomationExecutionId: cleaned, Type: 'Cancel' });
    await expect.poll(status(cleaned), { interval: 5 }).toMatch(/^(Failed|Cancelled)$/);
    expect(await t.value('cleaned')).toBe('up');
  });

  test('starts each step of an interactive execution on a signal', async () => {
    const id = await start(await runbook([put('one', 'x'), put('two', 'x')]), { Mode: 'Interactive' });
    await reaches(id, 'Waiting');
    await signal(id, 'StartStep', { StepName: ['put_one'] });
    await expect
      .poll(async () => stepsOf(await get(id)), { interval: 5 })
      .toEqual([
        ['put_one', 'Success'],
        ['put_two', 'Pending'],
      ]);
    await reaches(id, 'Waiting');
    await signal(id, 'StartStep', { StepName: ['put_two'] });
    await reaches(id, 'Success');
  });
});

describe('rate control', () => {
  test('runs one execution per target with limited concurrency', async () => {
    const Name = await runbook(
      [{ name: 'rest', action: 'aws:sleep', inputs: { Duration: 'PT1M' } }, put('fleet-{{ Id }}', 'x')].map(
        (step, index) => ({ ...step, name: `s${index}` }),
      ),
      {
        parameters: { Id: { type: 'String' } },
      },
    );
    const Targets = [{ Key: 'ParameterValues', Values: ['a', 'b', 'c'] }];
    const request = { TargetParameterName: 'Id', Targets, MaxConcurrency: '2', MaxErrors: '0' };
    const id = await start(Name, request);
    const children = async () => {
      const Filters = [{ Key: 'ParentExecutionId' as const, Values: [id] }];
      return (await t.ssm.describeAutomationExecutions({ Filters })).AutomationExecutionMetadataList!;
    };
    await expect.poll(async () => (await children()).length, { interval: 5 }).toBe(2);
    await t.advance(60_000);
    await expect.poll(async () => (await children()).length, { interval: 5 }).toBe(3);
    await t.advance(60_000);
    await reaches(id, 'Success');
    expect((await children()).map(({ Target }) => Target)).toEqual(['c', 'b', 'a']);
    expect(await get(id)).toMatchObject({
      ResolvedTargets: { ParameterValues: ['a', 'b', 'c'] },
      MaxConcurrency: '2',
      ProgressCounters: { TotalSteps: 3, SuccessSteps: 3 },
    });
    expect(await failureOf(start(Name, { Targets }))).toMatch(/^InvalidAutomationExecutionParametersException/);
    const two = [
      { Key: 'tag:a', Values: ['x'] },
      { Key: 'tag:b', Values: ['x'] },
    ];
    expect(await failureOf(start(Name, { TargetParameterName: 'Id', Targets: two }))).toBe(
      'InvalidAutomationExecutionParametersException: Only one resource group or tag can be specified at a time',
    );
  });

  test('ends after too many failures', async () => {
    const Name = await runbook(
      [
        {
          name: 'read',
          action: 'aws:executeAwsApi',
          inputs: { Service: 'ssm', Api: 'GetParameter', Name: '{{ Id }}' },
        },
      ],
      { parameters: { Id: { type: 'String' } } },
    );
    const TargetMaps = ['x1', 'x2', 'x3'].map((value) => ({ Id: [value] }));
    const id = await start(Name, { TargetMaps, MaxConcurrency: '1', MaxErrors: '1' });
    await reaches(id, 'Failed');
    const { AutomationExecutionMetadataList } = await t.ssm.describeAutomationExecutions({
      Filters: [{ Key: 'ParentExecutionId', Values: [id] }],
    });
    expect(AutomationExecutionMetadataList).toHaveLength(2);
  });

  test('runs in other accounts and regions', async () => {
    const Name = await runbook([put('located', 'x')]);
    await t.ssm.modifyDocumentPermission({ Name, PermissionType: 'Share', AccountIdsToAdd: ['222222222222'] });
    const TargetLocations = [{ Accounts: ['222222222222'], Regions: [REGION] }];
    const id = await start(Name, { TargetLocations });
    await reaches(id, 'Success');
    const other = t.client({ accessKeyId: '222222222222' });
    expect((await other.getParameter({ Name: 'located' })).Parameter!.Value).toBe('x');
    const Filters = [{ Key: 'AutomationType' as const, Values: ['CrossAccount'] }];
    expect((await t.ssm.describeAutomationExecutions({ Filters })).AutomationExecutionMetadataList).toMatchObject([
      { AutomationExecutionId: id },
    ]);
  });
});

test('reads a file of target locations up to 1 MiB', async () => {
  const pieces = 40;
  let read = 0;
  async function* body(): AsyncGenerator<Uint8Array> {
    for (; read < pieces; read++) yield Buffer.alloc(100_000, ' ');
  }
  await using env = await startSsm({ manifests: [fakeService('s3', { GetObject: () => ({ Body: body() }) })] });
  const TargetLocationsURL = 'https://b.s3.us-east-1.amazonaws.com/locations.json';
  const request = { DocumentName: 'AWS-StopEC2Instance', TargetLocationsURL };
  expect(await failureOf(env.ssm.startAutomationExecution(request))).toBe(
    `InvalidAutomationExecutionParametersException: The target locations could not be read from ${TargetLocationsURL}: it has more than 1048576 bytes`,
  );
  expect(read).toBeLessThan(pieces);
});

test('runs a change after the approvals of the template and of the change', async () => {
  const Name = 'change-template';
  const mainSteps = [
    {
      name: 'ask',
      action: 'aws:approve',
      inputs: { Approvers: [`arn:aws:iam::${ACCOUNT}:root`], MinRequiredApprovals: 1 },
    },
  ];
  const Content = JSON.stringify({ schemaVersion: '0.3', mainSteps });
  await t.ssm.createDocument({ Name, Content, DocumentType: 'Automation.ChangeTemplate' });
  const Runbooks = [{ DocumentName: await runbook([put('changed', 'x')]) }];
  const request = async () =>
    (
      await t.ssm.startChangeRequestExecution({
        DocumentName: Name,
        Runbooks,
        ChangeRequestName: 'my-change',
        ScheduledTime: new Date(t.emulator.kernel.clock.now() + DAY),
      })
    ).AutomationExecutionId!;
  expect(await failureOf(request())).toMatch(/^AutomationDefinitionNotApprovedException/);
  for (const Action of ['SendForReview', 'Approve'] as const)
    await t.ssm.updateDocumentMetadata({ Name, DocumentReviews: { Action } });
  const id = await request();
  await reaches(id, 'PendingApproval');
  await t.ssm.sendAutomationSignal({ AutomationExecutionId: id, SignalType: 'Approve' });
  await reaches(id, 'Scheduled');
  await t.advance(DAY);
  await reaches(id, 'CompletedWithSuccess');
  expect(await t.value('changed')).toBe('x');
  expect(await get(id)).toMatchObject({ AutomationSubtype: 'ChangeRequest', ChangeRequestName: 'my-change' });
  const rejected = await request();
  await reaches(rejected, 'PendingApproval');
  await t.ssm.sendAutomationSignal({ AutomationExecutionId: rejected, SignalType: 'Reject' });
  await reaches(rejected, 'Rejected');
});

test('previews the possible effects of steps', async () => {
  const DocumentName = await runbook([
    put('x', 'x'),
    pause,
    { name: 'list', action: 'aws:executeAwsApi', inputs: { Service: 's3', Api: 'ListBuckets' } },
  ]);
  const { ExecutionPreviewId } = await t.ssm.startExecutionPreview({ DocumentName });
  expect(await t.ssm.getExecutionPreview({ ExecutionPreviewId })).toMatchObject({
    Status: 'Success',
    ExecutionPreview: {
      Automation: { StepPreviews: { Mutating: 1, NonMutating: 2 }, Regions: [REGION], TotalAccounts: 1 },
    },
  });
  expect(await failureOf(t.ssm.startExecutionPreview({ DocumentName: 'unknown' }))).toMatch(/^ValidationException/);
  const none = { ExecutionPreviewId: '00000000-0000-0000-0000-000000000000' };
  expect(await failureOf(t.ssm.getExecutionPreview(none))).toMatch(/^ResourceNotFoundException/);
});

test('lists, filters and tags executions', async () => {
  const DocumentName = await runbook([pause]);
  const id = await start(DocumentName, { Tags: [{ Key: 'team', Value: 'a' }] });
  await reaches(id, 'Waiting');
  const listed = async (Key: string, ...Values: string[]) =>
    (
      await t.ssm.describeAutomationExecutions({
        Filters: [
          { Key: Key as 'ExecutionId', Values },
          { Key: 'DocumentNamePrefix', Values: [DocumentName] },
        ],
      })
    ).AutomationExecutionMetadataList!.map(({ AutomationExecutionId }) => AutomationExecutionId);
  expect(await listed('ExecutionStatus', 'Waiting')).toEqual([id]);
  expect(await listed('ExecutionStatus', 'Success')).toEqual([]);
  expect(await listed('CurrentAction', 'aws:pause')).toEqual([id]);
  expect(await listed('TagKey', 'team')).toEqual([id]);
  expect(await listed('StartTimeAfter', '2001-01-01T00:00:00Z')).toEqual([id]);
  expect(await failureOf(listed('StartTimeAfter', 'soon'))).toMatch(/^InvalidFilterValue/);
  const at = { ResourceType: 'Automation' as const, ResourceId: id };
  expect((await t.ssm.listTagsForResource(at)).TagList).toEqual([{ Key: 'team', Value: 'a' }]);
});
