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
