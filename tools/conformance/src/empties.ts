import { SERVICES } from '@emu/emulator';
import { compileService, type MemberModel, type ServiceModel } from '@emu/wire';
import { type Probe, probesOf } from './probes.ts';
import type { Facts, Scenario } from './scenario.ts';
import { type Attempt, Stages } from './starts.ts';

/** An error decoded by the SDK. */
type SdkError = Error & { $metadata?: { httpStatusCode?: number } };

/** A rejected request with an empty member that succeeds without the member. */
export interface Refusal {
  /** Operation, path and value of the member, e.g. `CreateRoute.AuthorizerId=""`. */
  request: string;
  /** Status, code and message. */
  error: string;
}

/** A request with an empty member. */
interface Empty {
  name: string;
  input: Record<string, unknown>;
  /** The request without the member. */
  reference: Record<string, unknown>;
}

/** Operations that create and change resources, which clients send with empty members. */
const CHANGES = /^(?:Add|Associate|Create|Enable|Import|Modify|Put|Register|Reimport|Replace|Set|Update)[A-Z]/;
/** Operations on data in resources. */
const DATA = new Set(['PutEvents', 'PutItem', 'PutLogEvents', 'PutMetricData', 'PutRecord', 'UpdateItem']);

/**
 * Sends the empty value of every optional member of every operation that creates or changes resources: `""`, `false`,
 * `{}`, `[]` and a list whose element has its required members only.
 * @returns the requests that the service rejects, although it accepts them without the member
 */
export async function refusedEmpties(scenario: Scenario): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const codec = compileService(scenario.model);
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations) {
    if (!CHANGES.test(operation) || DATA.has(operation) || Object.hasOwn(scenario.reads, operation)) continue;
    const start = await stages.startOf(operation);
    const rejected = new Map<string, string>();
    for (const make of [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])]) {
      const requests = requestsOf(scenario, operation, make);
      const send = async (index: number, part: 'input' | 'reference'): Promise<string | undefined> => {
        const attempt = await start.fresh();
        return errorOf(attempt, operation, requests(attempt.facts)[index]![part]);
      };
      for (const [index, { name, input }] of requests(start.facts).entries()) {
        if (rejected.has(name) || codec.validate(operation, input).length > 0) continue;
        const error = await send(index, 'input');
        if (error !== undefined && (await send(index, 'reference')) === undefined) rejected.set(name, error);
      }
    }
    for (const [name, error] of rejected) refusals.push({ request: `${operation}.${name}`, error });
  }
  return refusals;
}

/** Returns members in the plugin's list of ignored ones, as `<operation>.<path>`, that the model lacks. */
export async function unknownIgnored({ service, model }: Scenario): Promise<string[]> {
  const manifest = SERVICES.find(({ name }) => name === service)!;
  const { ignoredIfEmpty = {} } = await manifest.load();
  const shapeOf = (name: string, [member = '', ...rest]: readonly string[]): string | undefined => {
    const isList = member.endsWith('[]');
    const use = model.shapes[name]!.members?.[isList ? member.slice(0, -2) : member];
    const inner = use && (isList ? model.shapes[use.shape]!.member?.shape : use.shape);
    return inner === undefined || rest.length === 0 ? inner : shapeOf(inner, rest);
  };
  return Object.entries(ignoredIfEmpty as Readonly<Record<string, readonly string[]>>).flatMap(([operation, paths]) =>
    paths
      .filter((path) => !shapeOf(model.operations[operation]?.input?.shape ?? '', path.split('.')))
      .map((path) => `${operation}.${path}`),
  );
}

/** Returns the requests with an empty member of a valid input, which depends on the facts of the state. */
function requestsOf(
  { model }: Scenario,
  operation: string,
  make: (facts: Facts) => Record<string, unknown>,
): (facts: Facts) => readonly Empty[] {
  let made: { facts: Facts; requests: readonly Empty[] } | undefined;
  return (facts) => {
    if (made?.facts !== facts)
      made = {
        facts,
        requests: probesOf(model, operation, make(facts)).flatMap((probe) => requestsOfMember(model, probe)),
      };
    return made.requests;
  };
}

function requestsOfMember(model: ServiceModel, { member, model: use, optional, value, put }: Probe): Empty[] {
  if (!optional) return [];
  return emptyValuesOf(model, use, value).map((empty) => ({
    name: `${member}=${JSON.stringify(empty)}`,
    input: put(empty),
    reference: put(undefined),
  }));
}

function emptyValuesOf(model: ServiceModel, { shape: name }: MemberModel, current: unknown): unknown[] {
  const { type, enum: words, member: element } = model.shapes[name]!;
  if (type === 'string') return words ? [] : [''];
  if (type === 'boolean') return [false];
  if (type === 'map' || type === 'structure') return [{}];
  if (type !== 'list') return [];
  const [first] = (current ?? []) as Record<string, unknown>[];
  const { required = [] } = model.shapes[element!.shape]!;
  // Elements without required members have nothing that identifies them.
  if (!first || required.length === 0 || Object.keys(first).length === required.length) return [[]];
  return [[], [Object.fromEntries(required.map((member) => [member, first[member]]))]];
}

/** Sends a request from the start state; returns its error. */
async function errorOf(
  { stage }: Attempt,
  operation: string,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  try {
    await stage.send(operation, input);
    return undefined;
  } catch (error) {
    const { name, message, $metadata: metadata } = error as SdkError;
    return `${metadata?.httpStatusCode} ${name}: ${message}`;
  }
}
