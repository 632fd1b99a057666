import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sharedPath } from '../../../tools/testing/shared.ts';
import type { ControlRouteName } from '../src/index.ts';
import { cases } from './cases.ts';
import { recordingClient } from './recorder.ts';

const names = Object.keys(cases) as ControlRouteName[];

/** Routes the client has besides those of the specification; each with its reason. */
const additions: readonly ControlRouteName[] = [
  // where APIs answer
  'GET /_emulator/apigateway/urls',
  'GET /_emulator/apigatewayv2/urls',
  // what functions print
  'GET /_emulator/lambda/logs',
  // emu's clock
  'GET /_emulator/clock',
  'POST /_emulator/clock',
  // requests as they were recorded
  'GET /_emulator/requests',
  'GET /_emulator/requests/tree',
  'PUT /_emulator/requests',
  'DELETE /_emulator/requests',
  // the state as a file
  'GET /_emulator/state',
  'POST /_emulator/state',
  // faults injected by users
  'GET /_emulator/faults',
  'POST /_emulator/faults',
  'DELETE /_emulator/faults',
  'DELETE /_emulator/faults/{id}',
  // the risk of sign-ins
  'POST /_emulator/cognito/risk-levels',
  // what phones answer to SMS
  'POST /_emulator/sns/sms/opt-out',
  // the metadata service
  'GET /latest/dynamic/instance-identity/document',
  // operations the client must have and no listed route offers
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

test('the client has every route of the specification, and no other but the known additions', ({ skip }) => {
  if (specification === undefined) return skip('the specification is not on this machine');
  const records = JSON.parse(readFileSync(specification, 'utf8')) as { method: string; path: string }[];
  const specified = records.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(specified).size).toBe(133);
  expect([...names].sort()).toEqual([...specified, ...additions].sort());
});
