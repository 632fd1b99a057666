import { awsError } from '@emu/wire';
import { expect, test } from 'vitest';
import { createLogger } from '../src/base/log.ts';
import { OperationContextImpl } from '../src/invocation/context.ts';
import type { Environment } from '../src/services/environment.ts';
import type { Invocation } from '../src/services/invocation.ts';
import type { LoadedService, ServiceHost } from '../src/services/loaded-service.ts';

const refusal = awsError('NoSuchEntity', 'The role with name app cannot be found.');

/** Returns a context of an operation, and the lines of the log. */
function operation(enforces: boolean): { ctx: OperationContextImpl; lines: string[] } {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'text', write: (line) => void lines.push(line) });
  const environment: Partial<Environment> = { enforces, log };
  const host: Partial<ServiceHost> = { environment: environment as Environment };
  const invocation: Partial<Invocation> = { service: 'notes', operation: 'PutNote', requestId: 'r-1' };
  const ctx = new OperationContextImpl(host as ServiceHost, {} as LoadedService, invocation as Invocation);
  return { ctx, lines };
}

test("AWS's error for a missing resource is thrown if policies are enforced", () => {
  const { ctx, lines } = operation(true);
  expect(() => ctx.wouldRefuse(refusal)).toThrow(refusal);
  expect(lines).toEqual([]);
});

test('otherwise it is only logged as a warning', () => {
  const { ctx, lines } = operation(false);
  ctx.wouldRefuse(refusal);
  expect(lines).toEqual([
    expect.stringMatching(
      /WARN {2}AWS would refuse this: NoSuchEntity: The role with name app cannot be found\. service=notes operation=PutNote requestId=r-1\n$/,
    ),
  ]);
});
