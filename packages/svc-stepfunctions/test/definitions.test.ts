import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn();
});
afterAll(() => t[Symbol.asyncDispose]());

const pass = (more: object = {}) => ({ Type: 'Pass', End: true, ...more });
const machine = (state: object, more: object = {}) => ({ StartAt: 'S', States: { S: state }, ...more });

/** Returns the diagnostics of a definition. */
async function diagnosed(definition: object | string, more: { type?: 'EXPRESS'; severity?: 'WARNING' } = {}) {
  const text = typeof definition === 'string' ? definition : JSON.stringify(definition);
  const { result, diagnostics, truncated } = await t.sfn.validateStateMachineDefinition({ definition: text, ...more });
  expect(truncated).toBe(false);
  return {
    result,
    found: diagnostics!.map(({ severity, code, message, location }) => [severity, code, message, location]),
  };
}

const SOURCE = '[Source: (String)"not a definition"; line: 1, column: 4]';
const SCHEMA = 'SCHEMA_VALIDATION_FAILED';
const token = 'arn:aws:states:::sqs:sendMessage.waitForTaskToken';
const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';

// Recorded from AWS.
test.each([
  ['""', {}, SCHEMA, 'Definition must be a valid JSON object', undefined],
  [
    'not a definition',
    {},
    'INVALID_JSON_DESCRIPTION',
    `Unrecognized token 'not': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at ${SOURCE}`,
    SOURCE,
  ],
  [{}, {}, SCHEMA, 'These fields are required: [States, StartAt]', '/'],
  [{ States: { S: pass() } }, {}, SCHEMA, 'These fields are required: [StartAt]', '/'],
  [
    machine({ Type: 'Task', Resource: token, End: true }),
    { type: 'EXPRESS' as const },
    SCHEMA,
    "Express state machine does not support '.waitForTaskToken' service integration ",
    '/States/S/Resource',
  ],
  [
    machine(pass({ QueryLanguage: 'JSONPath' }), { QueryLanguage: 'JSONata' }),
    {},
    SCHEMA,
    "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
    '/States/S',
  ],
  [
    machine(pass({ Type: 'Odd' })),
    {},
    SCHEMA,
    "The field 'Type' should have one of these values: [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]",
    '/States/S/Type',
  ],
  [machine(pass({ Type: 'Parallel', Branches: [] })), {}, SCHEMA, 'Value cannot be empty', '/States/S/Branches'],
])('rejects %j', async (definition, more, code, message, location) => {
  const { result, found } = await diagnosed(definition, more);
  expect(result).toBe('FAIL');
  expect(found).toEqual([['ERROR', code, message, location]]);
  const text = typeof definition === 'string' ? definition : JSON.stringify(definition);
  const request = t.sfn.createStateMachine({ name: 'refused', roleArn: ROLE, definition: text, ...more });
  await expect(request).rejects.toMatchObject({ name: 'InvalidDefinition' });
});

const task = (more: object = {}) => ({ Type: 'Task', Resource: FUNCTION, End: true, ...more });
const retry = (more: object) => task({ Retry: [{ ErrorEquals: ['E'], ...more }] });
const jsonata = (state: object) => machine(state, { QueryLanguage: 'JSONata' });
const choice = (rule: object, more: object = {}) => ({
  StartAt: 'S',
  States: { S: { Type: 'Choice', Choices: [{ Next: 'T', ...rule }], ...more }, T: { Type: 'Succeed' } },
});
const inline = { StartAt: 'I', States: { I: pass() } };
const output = (expression: string) => jsonata(pass({ Output: { v: `{% ${expression} %}` } }));

// Messages of unsupported fields, the graph and JSONata are AWS's, from reports that quote ValidateStateMachineDefinition.
test.each([
  ...['Pass', 'Wait', 'Succeed', 'Fail', 'Map', 'Parallel'].map((Type) => ['TimeoutSeconds', Type]),
  ...['Catch', 'Retry'].flatMap((field) => ['Pass', 'Wait', 'Succeed', 'Fail'].map((Type) => [field, Type])),
  ['Next', 'Succeed'],
  ['End', 'Fail'],
  ['Result', 'Task'],
  ['Comments', 'Pass'],
] as [string, string][])('does not support %s on %s', async (field, Type) => {
  const value = field === 'TimeoutSeconds' ? 1 : field === 'Next' ? 'S' : field === 'End' ? true : [];
  const rest = { Pass: {}, Wait: { Seconds: 1 }, Map: { ItemProcessor: inline }, Parallel: { Branches: [inline] } }[
    Type
  ];
  const end = Type === 'Succeed' || Type === 'Fail' ? {} : { End: true };
  const resource = Type === 'Task' ? { Resource: FUNCTION } : {};
  const { found } = await diagnosed(machine({ Type, ...rest, ...end, ...resource, [field]: value }));
  expect(found).toEqual([['ERROR', SCHEMA, `Field '${field}' is not supported`, '/States/S']]);
});

test.each([
  [
    machine(pass({ Output: 1 })),
    "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage",
    'S',
  ],
  [
    jsonata(pass({ ResultPath: '$' })),
    "The QueryLanguage is set to 'JSONata', but field 'ResultPath' is only supported for the 'JSONPath' QueryLanguage",
    'S',
  ],
  [
    machine({
      Type: 'Map',
      QueryLanguage: 'JSONata',
      ItemProcessor: { StartAt: 'I', States: { I: pass({ Output: 1 }) } },
      End: true,
    }),
    "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage",
    'S/ItemProcessor/States/I',
  ],
  [
    machine({ Type: 'Map', ItemProcessor: { ...inline, QueryLanguage: 'JSONPath' }, End: true }),
    "Field 'QueryLanguage' is not supported",
    'S/ItemProcessor',
  ],
  [
    machine(pass({ QueryLanguage: 'SQL' })),
    "The field 'QueryLanguage' should have one of these values: [JSONPath, JSONata]",
    'S/QueryLanguage',
  ],
  [
    machine({ Type: 'Map', ItemProcessor: inline, ItemReader: {}, End: true }),
    "Field 'ItemReader' is not supported",
    'S',
  ],
  [machine({ Type: 'Fail', Error: 'E', ErrorPath: '$.e' }), 'The fields [Error, ErrorPath] exclude each other', 'S'],
  [
    machine({ Type: 'Wait', Seconds: -1, End: true }),
    "Value for field 'Seconds' must be between 0 and 99999999",
    'S/Seconds',
  ],
  [machine(task({ TimeoutSeconds: 'soon' })), 'Expected value of type Integer', 'S/TimeoutSeconds'],
  [
    machine(task({ TimeoutSeconds: 5, HeartbeatSeconds: 5 })),
    "'HeartbeatSeconds' must be less than 'TimeoutSeconds'",
    'S/HeartbeatSeconds',
  ],
  [machine(retry({ BackoffRate: 0.5 })), "Value for field 'BackoffRate' must be at least 1", 'S/Retry[0]/BackoffRate'],
  [
    machine(retry({ IntervalSeconds: 5, MaxDelaySeconds: 4 })),
    "'MaxDelaySeconds' must not be less than 'IntervalSeconds'",
    'S/Retry[0]/MaxDelaySeconds',
  ],
  [machine(retry({ ErrorEquals: [] })), 'Value cannot be empty', 'S/Retry[0]/ErrorEquals'],
  [
    machine(retry({ ErrorEquals: ['States.ALL', 'E'] })),
    "'States.ALL' must appear alone, in the last element of the list",
    'S/Retry[0]/ErrorEquals',
  ],
  [
    machine(task({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['E'] }] })),
    "'States.ALL' must appear alone, in the last element of the list",
    'S/Retry[0]/ErrorEquals',
  ],
  [
    choice({ Variable: '$.a', StringEquals: 'a', NumericEquals: 1 }),
    'Exactly one comparison operator is required, but found [StringEquals, NumericEquals]',
    'S/Choices[0]',
  ],
  [choice({ Variable: '$.a', StringEquals: 'a' }, { End: true }), "Field 'End' is not supported", 'S'],
  [
    choice({ Condition: true }),
    "The QueryLanguage is set to 'JSONPath', but field 'Condition' is only supported for the 'JSONata' QueryLanguage",
    'S/Choices[0]',
  ],
  [
    output('phone'),
    "Reference to 'phone' at the top level is not supported.",
    'S/Output/v',
    'UNSUPPORTED_JSONATA_EXPRESSION',
  ],
  [
    output('[1, {"k": $lowercase(name)}]'),
    "Reference to 'name' at the top level is not supported.",
    'S/Output/v',
    'UNSUPPORTED_JSONATA_EXPRESSION',
  ],
  [output('$'), "Reference to '$' at the top level is not supported.", 'S/Output/v', 'UNSUPPORTED_JSONATA_EXPRESSION'],
  [output('$$.a'), "Reference to '$$' is not supported.", 'S/Output/v', 'INVALID_JSONATA_EXPRESSION'],
  [
    output('$states.errorOutput'),
    "Field '$states.errorOutput' does not exist.",
    'S/Output/v',
    'UNSUPPORTED_JSONATA_EXPRESSION',
  ],
  [output('1 +'), 'Unexpected end of expression', 'S/Output/v', 'INVALID_JSONATA_EXPRESSION'],
  [output('a[1,2)'), 'Expected "]", got ","', 'S/Output/v', 'INVALID_JSONATA_EXPRESSION'],
])('rejects %j: %s', async (definition, message, place, code = SCHEMA) => {
  const { found } = await diagnosed(definition);
  expect(found).toContainEqual(['ERROR', code, message, `/States/${place}`]);
});

test.each([
  [machine({ Type: 'Pass', Next: 'S' }), 'MISSING_END_STATE', 'Workflow has no terminal state', undefined],
  [
    { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' }, C: pass() } },
    'MISSING_TRANSITION_TARGET',
    'State "C" is not reachable.',
    '/States/C',
  ],
  [
    machine(pass(), { Version: '2.0' }),
    SCHEMA,
    "The field 'Version' should have one of these values: [1.0]",
    '/Version',
  ],
  [machine(pass(), { Startat: 'S' }), SCHEMA, "Field 'Startat' is not supported", '/'],
])('rejects the machine %j', async (definition, code, message, location) => {
  expect((await diagnosed(definition)).found).toEqual([['ERROR', code, message, location]]);
  const request = t.sfn.createStateMachine({ name: 'refused', roleArn: ROLE, definition: JSON.stringify(definition) });
  await expect(request).rejects.toThrow(`'${code}: ${message} at ${location ?? null}'`);
});

test('accepts context items inside expressions and transforms, the error in catchers, and the result after work', async () => {
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'T', Output: '{% $states.errorOutput.Error %}' }];
  const definition = {
    QueryLanguage: 'JSONata',
    StartAt: 'S',
    States: {
      S: task({
        Arguments: '{% $map($states.input.items[price > 3], function($i) { $i.name }) %}',
        Output: '{% $states.result.list^(>size){ name: $sum(size) } %}',
        TimeoutSeconds: '{% $states.input.seconds %}',
        Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 10, MaxDelaySeconds: 30 }],
        Assign: { lines: "{% $states.input ~> |order.lines|{'total': price * $count($.parts)}, ['parts']| %}" },
        Catch,
      }),
      T: { Type: 'Succeed', Output: "{% $states.context.Execution.Id & '!' %}" },
    },
  };
  expect(await diagnosed(definition)).toEqual({ result: 'OK', found: [] });
});

test('rejects duplicate state names in a machine', async () => {
  const branch = { StartAt: 'Inner', States: { Inner: pass() } };
  const { found } = await diagnosed(machine({ Type: 'Parallel', Branches: [branch, branch], End: true }));
  const place = '/States/S/Branches[1]/States/Inner';
  expect(found).toEqual([['ERROR', 'DUPLICATE_STATE_NAME', 'Duplicate State name: Inner', place]]);
});

test('returns warnings on request without rejecting the definition', async () => {
  const states = {
    S: {
      Type: 'Pass',
      Result: '$.order',
      Parameters: { id: '$.id', text: 'States.Format({})', 'ok.$': '$' },
      Next: 'C',
    },
    C: {
      Type: 'Choice',
      Choices: [{ And: [{ Variable: '$.a', StringEquals: '$.b' }], Next: 'W' }],
      Default: 'W',
    },
    W: { Type: 'Wait', Seconds: 1, Next: 'F' },
    F: { Type: 'Fail', Cause: '$.why' },
  };
  const definition = { StartAt: 'S', States: states };
  expect(await diagnosed(definition)).toEqual({ result: 'OK', found: [] });
  const { result, found } = await diagnosed(definition, { severity: 'WARNING' });
  expect(result).toBe('OK');
  expect(found.map(([severity, code, , location]) => [severity, code, location])).toEqual([
    ['WARNING', 'NO_DOLLAR', '/States/S/Parameters/id'],
    ['WARNING', 'NO_DOLLAR', '/States/S/Parameters/text'],
    ['WARNING', 'PASS_RESULT_IS_STATIC', '/States/S/Result'],
    ['WARNING', 'NO_PATH', '/States/C/Choices[0]/And[0]/StringEquals'],
    ['WARNING', 'NO_PATH', '/States/F/Cause'],
  ]);
  await t.machine(definition);
  const queried = machine(pass({ Output: '$.x' }), { QueryLanguage: 'JSONata' });
  expect((await diagnosed(queried, { severity: 'WARNING' })).found).toEqual([]);
});
