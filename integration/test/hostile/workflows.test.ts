import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as pipes } from '@emu/svc-pipes/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import {
  bodyOf,
  describeHostileInputs,
  eventually,
  type HostileClient,
  nestedArrays,
  nestedObjects,
  type Outcome,
} from './support.ts';

const ROLE = 'arn:aws:iam::000000000000:role/any';

const createMachine = (client: HostileClient, name: string, definition: object | string) =>
  client.call('stepfunctions', 'CreateStateMachine', {
    name,
    roleArn: ROLE,
    definition: typeof definition === 'string' ? definition : JSON.stringify(definition),
  });

/** States that return to the state A for ever. */
const AGAIN = {
  B: { Type: 'Choice', Choices: [{ Variable: '$.end', IsPresent: true, Next: 'C' }], Default: 'A' },
  C: { Type: 'Succeed' },
};

/** Runs a machine. @returns its error as the code */
async function runMachine(client: HostileClient, name: string, definition: object): Promise<Outcome> {
  const { stateMachineArn } = bodyOf<{ stateMachineArn: string }>(await createMachine(client, name, definition));
  const started = await client.call('stepfunctions', 'StartExecution', { stateMachineArn });
  const { executionArn } = bodyOf<{ executionArn: string }>(started);
  return eventually(async () => {
    const one = await client.call('stepfunctions', 'DescribeExecution', { executionArn });
    const { status, error } = bodyOf<{ status: string; error?: string }>(one);
    return status === 'RUNNING' ? undefined : { ...one, code: error };
  });
}

/** Runs a machine that starts itself. @returns the failure of the last execution */
async function runCircle(client: HostileClient, name: string, starts: number): Promise<Outcome> {
  const stateMachineArn = `arn:aws:states:us-east-1:123456789012:stateMachine:${name}`;
  const start = {
    Type: 'Task',
    Resource: 'arn:aws:states:::states:startExecution',
    Parameters: { StateMachineArn: stateMachineArn },
    End: true,
  };
  const Branches = Array.from({ length: starts }, (_, at) => ({ StartAt: `B${at}`, States: { [`B${at}`]: start } }));
  const definition = { StartAt: 'A', States: { A: { Type: 'Parallel', Branches, End: true } } };
  bodyOf(await createMachine(client, name, definition));
  await client.call('stepfunctions', 'StartExecution', { stateMachineArn });
  const list = async (statusFilter: string) =>
    bodyOf<{ executions: { executionArn: string }[] }>(
      await client.call('stepfunctions', 'ListExecutions', { stateMachineArn, statusFilter }),
    ).executions;
  const executionArn = await eventually(async () => {
    const running = await list('RUNNING');
    return running.length ? undefined : (await list('FAILED'))[0]?.executionArn;
  });
  const described = await client.call('stepfunctions', 'DescribeExecution', { executionArn });
  return { ...described, code: bodyOf<{ error: string }>(described).error };
}

const jsonOfSqs = (client: HostileClient, operation: string, input: object) =>
  client.signed('sqs', 'POST', '/', input, {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `AmazonSQS.${operation}`,
  });

/** Puts an event on a bus whose rule sends it to the same bus. @returns its dead letter */
async function circleOnBus(client: HostileClient, attempt: number): Promise<Outcome> {
  const name = `circle${attempt}`;
  const arn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:123456789012:${resource}`;
  await jsonOfSqs(client, 'CreateQueue', { QueueName: name });
  await client.call('events', 'PutRule', { Name: name, EventPattern: JSON.stringify({ source: [name] }) });
  const DeadLetterConfig = { Arn: arn('sqs', name) };
  const Targets = [{ Id: '1', Arn: arn('events', 'event-bus/default'), RoleArn: ROLE, DeadLetterConfig }];
  await client.call('events', 'PutTargets', { Rule: name, Targets });
  await client.call('events', 'PutEvents', { Entries: [{ Source: name, DetailType: 't', Detail: '{}' }] });
  return eventually(async () => {
    const received = await jsonOfSqs(client, 'ReceiveMessage', {
      QueueUrl: `http://localhost:4566/123456789012/${name}`,
      MessageAttributeNames: ['All'],
    });
    const [message] =
      bodyOf<{ Messages?: { MessageAttributes: Record<string, { StringValue: string }> }[] }>(received).Messages ?? [];
    return message && { ...received, code: message.MessageAttributes.ERROR_CODE?.StringValue };
  });
}

/** Runs a state. @returns its error as the code */
async function runState(client: HostileClient, state: object, input: unknown = {}): Promise<Outcome> {
  const tested = await client.call('stepfunctions', 'TestState', {
    definition: JSON.stringify({ End: true, ...state }),
    roleArn: ROLE,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  });
  if (tested.status !== 200) return tested;
  return { ...tested, code: (JSON.parse(tested.text) as { error?: string }).error };
}

/** Evaluates an intrinsic function or path in a Pass state. */
const pass = (client: HostileClient, expression: string, input?: unknown) =>
  runState(client, { Type: 'Pass', Parameters: { 'v.$': expression } }, input);

const putRule = (client: HostileClient, attempt: number, EventPattern: object | string) =>
  client.call('events', 'PutRule', {
    Name: `r${attempt}`,
    EventPattern: typeof EventPattern === 'string' ? EventPattern : JSON.stringify(EventPattern),
  });

const testPattern = (client: HostileClient, EventPattern: object, detail: object | string) =>
  client.call('events', 'TestEventPattern', {
    EventPattern: JSON.stringify(EventPattern),
    Event: JSON.stringify({
      id: '1',
      source: 's',
      account: '1',
      time: '2026-01-01T00:00:00Z',
      region: 'us-east-1',
      resources: [],
      'detail-type': 't',
      detail: 0,
    }).replace('"detail":0', `"detail":${typeof detail === 'string' ? detail : JSON.stringify(detail)}`),
  });

const createDocument = (client: HostileClient, attempt: number, content: object | string, DocumentFormat = 'JSON') =>
  client.call('ssm', 'CreateDocument', {
    Name: `Document-${attempt}`,
    DocumentType: 'Automation',
    DocumentFormat,
    Content: typeof content === 'string' ? content : JSON.stringify(content),
  });

/** Runs an automation. @returns its failure, with the status as the code unless it is Success */
async function automation(
  client: HostileClient,
  attempt: number,
  mainSteps: object[],
  parameters = {},
): Promise<Outcome> {
  const created = await createDocument(client, attempt, { schemaVersion: '0.3', parameters, mainSteps });
  if (created.status !== 200) return created;
  const started = await client.call('ssm', 'StartAutomationExecution', { DocumentName: `Document-${attempt}` });
  if (started.status !== 200) return started;
  const { AutomationExecutionId } = bodyOf<{ AutomationExecutionId: string }>(started);
  return eventually(async () => {
    const got = await client.call('ssm', 'DescribeAutomationExecutions', {
      Filters: [{ Key: 'ExecutionId', Values: [AutomationExecutionId] }],
    });
    const [{ AutomationExecutionStatus: code }] = bodyOf<{
      AutomationExecutionMetadataList: [{ AutomationExecutionStatus: string }];
    }>(got).AutomationExecutionMetadataList;
    if (code === 'InProgress' || code === 'Pending') return undefined;
    return { ...got, ...(code !== 'Success' && { code }) };
  });
}

const wide = (levels: number) => Array.from({ length: levels }).reduce<string>((inner) => `[${inner},${inner}]`, '1');

describeHostileInputs(
  [events, pipes, sqs, ssm, stepfunctions],
  [
    {
      name: '1,000 nested intrinsic functions',
      send: (client) => pass(client, `${'States.Array('.repeat(1000)}1${')'.repeat(1000)}`),
      code: 'InvalidDefinition',
    },
    {
      name: '20,000 nested intrinsic functions',
      send: (client) => pass(client, `${'States.Array('.repeat(20_000)}1${')'.repeat(20_000)}`),
      code: 'InvalidDefinition',
    },
    {
      name: 'States.ArrayRange of a billion elements',
      send: (client) => pass(client, 'States.ArrayRange(0, 1000000000, 1)'),
      code: 'States.IntrinsicFailure',
    },
    {
      name: 'States.ArrayPartition and States.ArrayUnique of 20,000 objects',
      send: (client) =>
        pass(client, 'States.ArrayUnique($.a)', { a: Array.from({ length: 20_000 }, (_, a) => ({ a })) }),
    },
    {
      name: 'States.ArrayContains of nested arrays',
      send: (client) =>
        pass(client, 'States.ArrayContains($.a, $.b)', `{"a":[${nestedArrays(10_000)}],"b":${nestedArrays(10_000)}}`),
      code: 'InvalidExecutionInput',
    },
    {
      name: 'States.JsonMerge of nested objects',
      send: (client) => pass(client, 'States.StringToJson($.a)', { a: nestedObjects(20_000) }),
      code: 'States.IntrinsicFailure',
    },
    {
      name: 'a text that States.Format repeats 20,000 times',
      send: (client) =>
        pass(client, `States.Format('${'{}'.repeat(20_000)}'${', $.a'.repeat(20_000)})`, { a: 'x'.repeat(100_000) }),
      code: 'States.IntrinsicFailure',
    },
    {
      name: 'an input that a template repeats 10,000 times',
      send: (client) =>
        runState(
          client,
          {
            Type: 'Pass',
            Parameters: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}.$`, '$'])),
          },
          { a: 'x'.repeat(200_000) },
        ),
      code: 'States.DataLimitExceeded',
    },
    {
      name: 'a machine whose data nests deeper with each turn',
      send: (client, attempt) =>
        runMachine(client, `nested${attempt}`, {
          StartAt: 'A',
          States: {
            A: { Type: 'Pass', Parameters: { 'a.$': '$' }, Next: 'B' },
            ...AGAIN,
          },
        }),
      code: 'States.DataLimitExceeded',
    },
    {
      name: 'a JSONPath of many .. in a state',
      send: (client) => pass(client, `$${'..a'.repeat(50)}`, nestedObjects(100, wide(10))),
      code: 'States.Runtime',
    },
    {
      name: 'a JSONPath of many wildcards in a state',
      send: (client) => pass(client, `$${'..*'.repeat(12)}`, wide(10)),
      code: 'States.Runtime',
    },
    {
      name: 'a JSONPath of nested filters',
      send: (client) => pass(client, `$..[?(${'@.a && '.repeat(500)}@.b)]`, wide(10)),
      code: 'InvalidDefinition',
    },
    {
      name: 'a JSONPath with a large regular expression for a long text',
      send: (client) => pass(client, '$.a[?(@ =~ /(a?){50}(a*b?){50}c/)]', { a: ['a'.repeat(100_000)] }),
      code: 'States.Runtime',
    },
    {
      name: '2,000 JSONPaths that each visit 20,000 values',
      send: (client) => {
        const Parameters = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at}.$`, '$.a[?(@ == 1)]']));
        return runState(client, { Type: 'Pass', Parameters }, { a: Array(10_000).fill(0) });
      },
      code: 'States.Runtime',
    },
    {
      name: '2,000 intrinsic functions that each hash a long text',
      send: (client) => {
        const hash = "States.Hash($.a, 'SHA-512')";
        const Parameters = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${at}.$`, hash]));
        return runState(client, { Type: 'Pass', Parameters }, { a: 'a'.repeat(10_000) });
      },
      code: 'States.IntrinsicFailure',
    },
    {
      name: 'a JSONPath that lists the members of a large object for each item',
      send: (client) => {
        const a = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`a${at}`, 0]));
        return pass(client, '$.b[?($.a.keys() == 1)]', { a, b: Array(10_000).fill(0) });
      },
      code: 'States.Runtime',
    },
    {
      name: 'a JSONPath that compares long lists',
      send: (client) => pass(client, '$.a[?($.a subsetof $.a)]', { a: Array.from({ length: 1000 }, (_, at) => at) }),
      code: 'States.Runtime',
    },
    {
      name: 'an input of nested objects',
      send: (client) => pass(client, '$.a', nestedObjects(20_000)),
      code: 'InvalidExecutionInput',
    },
    {
      name: 'a definition of nested objects',
      send: (client, attempt) => createMachine(client, `deep${attempt}`, nestedObjects(50_000)),
      code: 'InvalidDefinition',
    },
    {
      name: 'a definition of 1,000 nested Not rules',
      send: (client, attempt) =>
        createMachine(
          client,
          `not${attempt}`,
          `{"StartAt":"C","States":{"C":{"Type":"Choice","Choices":[{"Next":"D",${'"Not":{'.repeat(5000)}"Variable":"$.a","IsNull":true${'}'.repeat(5000)}}]},"D":{"Type":"Succeed"}}}`,
        ),
      code: 'InvalidDefinition',
    },
    {
      name: 'a definition of 500 nested Parallel states',
      send: (client, attempt) =>
        createMachine(
          client,
          `parallel${attempt}`,
          `${'{"StartAt":"P","States":{"P":{"Type":"Parallel","End":true,"Branches":['.repeat(2000)}{"StartAt":"Q","States":{"Q":{"Type":"Succeed"}}}${']}}}'.repeat(2000)}`,
        ),
      code: 'InvalidDefinition',
    },
    {
      name: 'a machine that passes in a circle',
      send: (client, attempt) =>
        runMachine(client, `circle${attempt}`, {
          StartAt: 'A',
          States: { A: { Type: 'Pass', Next: 'B' }, ...AGAIN },
        }),
      code: 'States.Runtime',
    },
    {
      name: 'a machine that starts itself',
      send: (client, attempt) => runCircle(client, `again${attempt}`, 1),
      code: 'StepFunctions.ThrottlingException',
    },
    {
      name: 'a machine that starts itself three times',
      send: (client, attempt) => runCircle(client, `fork${attempt}`, 3),
      code: 'StepFunctions.ThrottlingException',
    },
    {
      name: 'a rule that sends events to its own bus',
      send: circleOnBus,
      code: 'THIRD_ACCOUNT_HOP_DETECTED',
      text: 'an event can be sent to an event bus target only once',
    },
    {
      name: 'an event pattern of nested objects',
      send: (client, attempt) => putRule(client, attempt, nestedArrays(2000)),
      code: 'InvalidEventPatternException',
    },
    {
      name: 'an event pattern of $or products',
      send: (client, attempt) =>
        putRule(
          client,
          attempt,
          Object.fromEntries(
            Array.from({ length: 20 }, (_, at) => [
              `a${at}`,
              { $or: Array.from({ length: 10 }, (_, or) => ({ [`b${or}`]: [or] })) },
            ]),
          ),
        ),
      code: 'InvalidEventPatternException',
    },
    {
      name: 'an event pattern of many wildcards',
      send: (client, attempt) => putRule(client, attempt, { detail: { a: [{ wildcard: `${'*a'.repeat(500)}*` }] } }),
      code: 'InvalidEventPatternException',
    },
    {
      name: 'a wildcard and a long text',
      send: (client) =>
        testPattern(client, { detail: { a: [{ wildcard: '*a*a*a*a*b' }] } }, { a: 'a'.repeat(200_000) }),
    },
    {
      name: 'a pattern for an event of nested arrays',
      send: (client) => testPattern(client, { detail: { a: [1] } }, `{"a":${nestedArrays(900)}}`),
    },
    {
      name: 'a pattern for an event of too many nested arrays',
      send: (client) => testPattern(client, { detail: { a: [1] } }, `{"a":${nestedArrays(50_000)}}`),
      text: '"Result":false',
    },
    {
      name: 'a pipe filter of nested arrays',
      send: (client, attempt) =>
        client.signed('pipes', 'POST', `/v1/pipes/p${attempt}`, {
          RoleArn: ROLE,
          Source: 'arn:aws:sqs:us-east-1:000000000000:q',
          Target: 'arn:aws:sqs:us-east-1:000000000000:r',
          SourceParameters: { FilterCriteria: { Filters: [{ Pattern: nestedArrays(2000) }] } },
        }),
      code: 'ValidationException',
    },
    {
      name: 'a document of nested objects',
      send: (client, attempt) => createDocument(client, attempt, nestedObjects(10_000)),
      code: 'InvalidDocumentContent',
    },
    {
      name: 'a document in YAML of many aliases',
      send: (client, attempt) =>
        createDocument(
          client,
          attempt,
          `schemaVersion: '0.3'\nx0: &x0 a\n${Array.from({ length: 9 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(9)}*x${at}]`).join('\n')}`,
          'YAML',
        ),
      code: 'InvalidDocumentContent',
    },
    {
      name: 'a document in YAML of nested lists',
      send: (client, attempt) =>
        createDocument(client, attempt, `schemaVersion: '0.3'\nx: ${nestedArrays(10_000)}`, 'YAML'),
      code: 'InvalidDocumentContent',
    },
    {
      name: 'an automation whose branches form a circle',
      send: (client, attempt) =>
        automation(client, attempt, [
          {
            name: 'a',
            action: 'aws:branch',
            inputs: { Choices: [{ NextStep: 'b', Variable: 'x', StringEquals: 'x' }] },
          },
          {
            name: 'b',
            action: 'aws:branch',
            inputs: { Choices: [{ NextStep: 'a', Variable: 'x', StringEquals: 'x' }] },
          },
        ]),
      code: 'Failed',
    },
    {
      name: 'an automation that starts itself',
      send: (client, attempt) =>
        automation(client, attempt, [
          { name: 'a', action: 'aws:executeAutomation', inputs: { DocumentName: `Document-${attempt}` } },
        ]),
      code: 'Failed',
    },
    {
      name: 'an automation whose variables double',
      send: (client, attempt) =>
        automation(
          client,
          attempt,
          Array.from({ length: 40 }, (_, at) => ({
            name: `s${at}`,
            action: 'aws:updateVariable',
            inputs: { Name: 'variable:v', Value: '{{ variable:v }}{{ variable:v }}' },
          })),
        ),
      code: 'InvalidDocumentContent',
    },
  ],
);
