import type { AnyResourceType, Place } from '@emu/core/service';
import type { Facts, Scenario } from './scenario.ts';
import type { SdkRequest } from './sdk.ts';
import type { Stage } from './stage.ts';
import { Stages, type Start } from './starts.ts';
import { replaced } from './variants.ts';

/** An input with the ARN of a resource of the service. */
interface Named {
  /** Path of the member, without indexes. */
  member: string;
  path: readonly string[];
  arn: string;
  input: Record<string, unknown>;
}

/** Region and account of the scenarios, and others. */
const HOME: Place = { region: 'us-east-1', accountId: '123456789012' };
const REGION = 'eu-west-1';
const ACCOUNT = '210987654321';

/** Returns a request as a client of another region sends it. */
const fromRegion = (request: SdkRequest): SdkRequest =>
  Object.assign(Object.create(Object.getPrototypeOf(request)), request, {
    headers: {
      ...request.headers,
      authorization: request.headers.authorization?.replace(`/${HOME.region}/`, `/${REGION}/`) ?? '',
    },
  });

/** Ways in which an ARN and the client that sends it are of different places: another part of the ARN, or region. */
const WAYS = {
  'of another region': { part: 3, other: REGION },
  'of another account': { part: 4, other: ACCOUNT },
  'from another region': { rewrite: fromRegion },
} as const;

/**
 * Sends the ARN of each resource of the service in a valid input with another region and account, and as it is from a
 * client of another region. Policies decide what clients of other accounts may do, if they are enforced.
 * @returns the requests that succeed and change records or read, as `<operation>.<member> <way>`
 */
export async function foreignArns(scenario: Scenario): Promise<string[]> {
  const accepted = new Set<string>();
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations) {
    const start = await stages.startOf(operation);
    for (const make of [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])])
      for (const { member, path, arn, input } of await namedIn(scenario, operation, start, make)) {
        for (const [way, foreign] of Object.entries(WAYS)) {
          const name = `${operation}.${member} ${way}`;
          const parts = arn.split(':');
          if (accepted.has(name)) continue;
          if ('part' in foreign) {
            if (parts[foreign.part] !== (foreign.part === 3 ? HOME.region : HOME.accountId)) continue;
            parts[foreign.part] = foreign.other;
          } else if (parts[3] !== HOME.region) continue;
          const { stage } = await start.fresh();
          const done = await succeeds(stage, scenario, operation, replaced(input, path, parts.join(':')), foreign);
          const harmless = !Object.hasOwn(scenario.reads, operation) && start.changes().length === 0;
          if (done && !harmless) accepted.add(name);
        }
      }
  }
  return [...accepted].sort();
}

/** Services whose ARNs have another name. */
const SERVICES_OF_ARNS: Readonly<Record<string, string>> = { states: 'stepfunctions', monitoring: 'cloudwatch' };
/** Milliseconds for deliveries that follow a request. */
const FOLLOWING = 60_000;

/**
 * Sends the ARNs of resources of other services in valid inputs with another region and account.
 * @returns the requests because of which a service uses the resource of the same name in the client's own region or
 * account, as `<operation>.<member> <way>: <call>`
 */
export async function misplacedCalls(scenario: Scenario): Promise<string[]> {
  const found = new Set<string>();
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations) {
    const start = await stages.startOf(operation);
    for (const make of [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])]) {
      const { stage, facts } = await start.shared();
      const types = (stage.emulator.kernel.loadedService(scenario.service)!.plugin.resources ??
        []) as readonly AnyResourceType[];
      const input = make(facts);
      for (const { member, path, arn } of arnsIn(input, (value) => !types.some((type) => type.parse(value))))
        for (const [way, part, other] of [
          ['of another region', 3, REGION],
          ['of another account', 4, ACCOUNT],
        ] as const) {
          const parts = arn.split(':');
          if (parts[part] !== (part === 3 ? HOME.region : HOME.accountId)) continue;
          parts[part] = other;
          const foreign = parts.join(':');
          const calls = await callsAfter(scenario, start, operation, path, foreign, foreign);
          if (calls.length === 0) continue;
          // The state may have workers that use the resource at home anyway.
          const others = await callsAfter(scenario, start, operation, path, `${foreign}x`, foreign);
          for (const call of others) if (calls.includes(call)) calls.splice(calls.indexOf(call), 1);
          for (const call of calls) found.add(`${operation}.${member} ${way}: ${call}`);
        }
    }
  }
  return [...found].sort();
}

/**
 * Sends a request with an ARN.
 * @param arn foreign ARN of the resource
 * @returns the calls that use the resource of its name at home
 */
async function callsAfter(
  scenario: Scenario,
  start: Start,
  operation: string,
  path: readonly string[],
  value: string,
  arn: string,
): Promise<string[]> {
  const { stage, facts } = await start.fresh();
  const from = stage.calls.recorded.length;
  const inputs = [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])];
  const input = inputs.map((make) => make(facts)).find((one) => valueAt(one, path) !== undefined)!;
  try {
    const answer = await stage.send(operation, replaced(input, path, value));
    await scenario.after?.[operation]?.(stage.send, facts, answer);
  } catch {
    // A rejected request may have used the resource before.
  }
  await stage.emulator.clock.advance(FOLLOWING);
  const [, , service = '', region, accountId, ...resource] = arn.split(':');
  const name = resource
    .join(':')
    .split(/[:/]/)
    .findLast((part) => part !== '' && part !== '*')!;
  return stage.calls.recorded
    .slice(from)
    .filter((call) => call.service === (SERVICES_OF_ARNS[service] ?? service))
    .filter((call) => (region !== '' && call.region !== region) || (accountId !== '' && call.accountId !== accountId))
    .filter((call) => textOf(call.input).includes(name) && !textOf(call.input).includes(arn))
    .map((call) => `${call.service} ${call.operation} in ${call.accountId} ${call.region}`);
}

const valueAt = (input: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], input);

/** Returns a value as JSON without streams, which have no content in it. */
const textOf = (value: unknown): string => JSON.stringify(value) ?? '';

async function succeeds(
  stage: Stage,
  scenario: Scenario,
  operation: string,
  input: Record<string, unknown>,
  way: (typeof WAYS)[keyof typeof WAYS],
): Promise<boolean> {
  stage.rewrite = 'rewrite' in way ? way.rewrite : undefined;
  try {
    const answer = await stage.send(operation, input);
    return !scenario.refuses?.(answer);
  } catch {
    return false;
  } finally {
    stage.rewrite = undefined;
  }
}

/** Returns a valid input with each ARN in it, and with each name that the operation also accepts as an ARN. */
export async function namedIn(
  { service, model }: Scenario,
  operation: string,
  start: Start,
  make: (facts: Facts) => Record<string, unknown>,
): Promise<Named[]> {
  const { stage, facts } = await start.fresh();
  const { plugin } = stage.emulator.kernel.loadedService(service)!;
  const types = (plugin.resources ?? []) as readonly AnyResourceType[];
  const input = make(facts);
  const members = model.shapes[model.operations[operation]!.input?.shape ?? '']?.members ?? {};
  const found = arnsIn(input, (value) => types.some((type) => type.parse(value)));
  if (found.length > 0) return found;
  for (const type of types) {
    const address = type.identify(input, HOME, operation);
    if (!address) continue;
    const arn = type.arn(address.key, HOME);
    for (const [member, value] of Object.entries(input)) {
      if (typeof value !== 'string' || !Object.values(address.key).includes(value)) continue;
      if (!members[member] || members[member].idempotencyToken) continue;
      const named = { ...input, [member]: arn };
      try {
        await stage.send(operation, named);
        // Some names may look like ARNs.
        if (start.changes().some((key) => key.includes(arn))) continue;
        return [{ member, path: [member], arn, input: named }];
      } catch {
        // The member is a name only.
      }
    }
  }
  return [];
}

/** Returns the accepted ARNs in an input. */
function arnsIn(input: Record<string, unknown>, accepts: (arn: string) => boolean): Named[] {
  const found: Named[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      const member = path.filter((name) => !/^\d+$/.test(name)).join('.');
      if (value.startsWith('arn:') && accepts(value)) found.push({ member, path, arn: value, input });
    } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
      for (const [name, inner] of Object.entries(value)) look(inner, [...path, name]);
  };
  look(input, []);
  return found;
}
