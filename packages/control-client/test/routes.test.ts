import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharedPath } from '../../../tools/testing/shared.ts';
import type { ControlRouteName } from '../src/index.ts';
import { cases } from './cases.ts';
import { recordingClient } from './recorder.ts';

const names = Object.keys(cases) as ControlRouteName[];

/** Routes of the client besides those of the specification, each with its reason. */
const additions: readonly ControlRouteName[] = [
  // addresses of APIs
  'GET /_emulator/apigateway/urls',
  'GET /_emulator/apigatewayv2/urls',
  // addresses of function URLs, websites, queues and domains of user pools
  'GET /_emulator/lambda/urls',
  'GET /_emulator/s3/urls',
  'GET /_emulator/sqs/urls',
  'GET /_emulator/cognito/urls',
  // output of functions
  'GET /_emulator/lambda/logs',
  // layers of other accounts
  'GET /_emulator/lambda/layers',
  'PUT /_emulator/lambda/layers/{arn}',
  'DELETE /_emulator/lambda/layers/{arn}',
  // emu's clock
  'GET /_emulator/clock',
  'POST /_emulator/clock',
  // recorded requests
  'GET /_emulator/requests',
  'GET /_emulator/requests/tree',
  'PUT /_emulator/requests',
  'DELETE /_emulator/requests',
  // state as a file
  'GET /_emulator/state',
  'POST /_emulator/state',
  // faults injected by users
  'GET /_emulator/faults',
  'POST /_emulator/faults',
  'DELETE /_emulator/faults',
  'DELETE /_emulator/faults/{id}',
  // risk levels of sign-ins
  'POST /_emulator/cognito/risk-levels',
  // replies to SMS
  'POST /_emulator/sns/sms/opt-out',
  // the metadata service
  'GET /latest/dynamic/instance-identity/document',
  // required operations without a route in the specification
  'DELETE /_emulator/bedrock/models/{model_id}/responses',
  'GET /_emulator/bedrock/faults',
  'DELETE /_emulator/bedrock/faults',
  'POST /_emulator/events/endpoint-health',
  'GET /_emulator/stepfunctions/sync-executions',
  'GET /_emulator/stepfunctions/executions/{execution_arn}/tree',
];

describe.each(names)('%s', (name) => {
  const [method, template] = name.split(' ') as [string, string];
  const pattern = new RegExp(`^${template.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);

  test.each(cases[name].map(({ target, call, body }) => ({ target, call, body })))(
    '$target',
    async ({ target, call, body }) => {
      expect(target).toMatch(pattern);
      const { client, sent } = recordingClient();
      const result = await call(client);
      if (method === 'WS') {
        expect(sent).toEqual([]);
        expect(result).toBe(`ws://emu.test${target}`);
        return;
      }
      expect(sent).toEqual([
        {
          method,
          url: `http://emu.test${target}`,
          ...(body !== undefined && {
            contentType: body instanceof Uint8Array ? 'application/gzip' : 'application/json',
            body,
          }),
        },
      ]);
    },
  );
});

const specification = sharedPath('spec/control-routes.json');

test('the client has exactly the routes of the specification and the known additions', ({ skip }) => {
  if (specification === undefined) return skip('the specification is not on this machine');
  const records = JSON.parse(readFileSync(specification, 'utf8')) as { method: string; path: string }[];
  const specified = records.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(specified).size).toBe(133);
  expect([...names].sort()).toEqual([...specified, ...additions].sort());
});
