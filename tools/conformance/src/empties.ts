import { SERVICES } from '@emu/emulator';
import { compileService, type MemberModel, type ServiceModel } from '@emu/wire';
import { type Probe, probesOf } from './probes.ts';
import type { Facts, Scenario } from './scenario.ts';
import type { SdkRequest } from './sdk.ts';
import { type Attempt, Stages, type Start } from './starts.ts';
import { ValidValues } from './valid-values.ts';

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
  /** Name of the header that is sent empty; undefined for a member elsewhere. */
  header?: string;
}

/** Operations that only look something up. Their empty values are cursors and filters. */
const READS = /^(?:Batch)?(?:Describe|Get|Head|List|Lookup|Query|Scan|Search|Select)[A-Z]?/;

/**
 * Sends the empty value of every optional member of every operation that creates, changes or sends something: `""`,
 * `false`, `{}`, `[]` and a list whose element has its required members only.
 * @returns the requests that the service rejects, although it accepts them without the member
 */
export async function refusedEmpties(scenario: Scenario): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations) {
    if (READS.test(operation) || Object.hasOwn(scenario.reads, operation)) continue;
    const start = await stages.startOf(operation);
    const rejected = new Map<string, string>();
    for (const make of [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])])
      await sweep(scenario, operation, start, make, rejected);
    for (const [name, error] of rejected) refusals.push({ request: `${operation}.${name}`, error });
  }
  return refusals;
}

/** Sends the requests of one valid input. @param rejected receives rejected requests, with their errors */
async function sweep(
  scenario: Scenario,
  operation: string,
  start: Start,
  make: (facts: Facts) => Record<string, unknown>,
  rejected: Map<string, string>,
): Promise<void> {
  const codec = compileService(scenario.model);
  const requests = new EmptyRequests(scenario, operation, start, make);
  const send = async (index: number, part: 'input' | 'reference'): Promise<string | undefined> => {
    const attempt = await start.fresh();
    const { header, [part]: input } = (await requests.of(attempt.facts))[index]!;
    return errorOf(attempt, operation, input, part === 'input' ? header : undefined);
  };
  for (const [index, { name, input }] of (await requests.of(start.facts)).entries()) {
    if (rejected.has(name) || codec.validate(operation, input).length > 0) continue;
    const error = await send(index, 'input');
    if (error !== undefined && (await send(index, 'reference')) === undefined) rejected.set(name, error);
  }
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

/** Requests with an empty member of a valid input, which depends on the facts of the state. */
class EmptyRequests {
  private made: { facts: Facts; requests: readonly Empty[] } | undefined;
  /** Index of the accepted structure, by the path of the member. */
  private readonly chosen = new Map<string, number>();

  constructor(
    private readonly scenario: Scenario,
    private readonly operation: string,
    private readonly start: Start,
    private readonly make: (facts: Facts) => Record<string, unknown>,
  ) {}

  async of(facts: Facts): Promise<readonly Empty[]> {
    const { scenario, operation } = this;
    const { model } = scenario;
    if (this.made?.facts !== facts) {
      const probes = await probesOf(model, operation, this.make(facts), {
        values: ValidValues.of(scenario, operation, facts),
        choose: (member, requests) => this.choose(member, requests),
      });
      this.made = { facts, requests: probes.flatMap((probe) => requestsOfMember(model, probe)) };
    }
    return this.made.requests;
  }

  /** Returns the first request that succeeds; every later state has the same. */
  private async choose(member: string, requests: readonly Record<string, unknown>[]): Promise<number> {
    const known = this.chosen.get(member);
    if (known !== undefined) return known;
    let chosen = 0;
    for (const [index, request] of requests.entries()) {
      const error = await errorOf(await this.start.fresh(), this.operation, request);
      if (error !== undefined) continue;
      chosen = index;
      break;
    }
    this.chosen.set(member, chosen);
    return chosen;
  }
}

function requestsOfMember(model: ServiceModel, { member, model: use, optional, value, put }: Probe): Empty[] {
  if (!optional) return [];
  // SDKs leave out empty headers; other clients send them.
  if (use.location === 'header') {
    const { type, enum: words } = model.shapes[use.shape]!;
    const text = type === 'string' && !words;
    const [input, header] = [put(undefined), use.locationName!.toLowerCase()];
    return text ? [{ name: `${member}=""`, input, reference: input, header }] : [];
  }
  if (use.location === 'headers') return [];
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

/** Sends a request from the start state, also with an empty header; returns its error. */
async function errorOf(
  { stage }: Attempt,
  operation: string,
  input: Record<string, unknown>,
  header?: string,
): Promise<string | undefined> {
  stage.rewrite = header === undefined ? undefined : (request) => withEmptyHeader(request, header);
  try {
    await stage.send(operation, input);
    return undefined;
  } catch (error) {
    const { name, message, $metadata: metadata } = error as SdkError;
    // The client rejects some values itself.
    return metadata?.httpStatusCode === undefined ? undefined : `${metadata.httpStatusCode} ${name}: ${message}`;
  } finally {
    stage.rewrite = undefined;
  }
}

const withEmptyHeader = (request: SdkRequest, name: string): SdkRequest =>
  Object.assign(Object.create(Object.getPrototypeOf(request)), request, {
    headers: { ...request.headers, [name]: '' },
  });
