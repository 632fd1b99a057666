import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyPaging, AnyServicePlugin } from '@emu/core/service';
import { SERVICES } from '@emu/emulator';
import { pagingOperations } from '@emu/model-gen';
import { type AwsError, compileService, type ServiceModel, validationError } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedIn } from '../src/foreign-arns.ts';
import { SCENARIOS } from '../src/index.ts';
import type { Scenario } from '../src/scenario.ts';
import { Stages, type Start } from '../src/starts.ts';
import { ITEMS, type Items, type Making } from './support/paging-items.ts';

type Answer = Record<string, unknown>;
type Made = Making & { make: NonNullable<Making['make']> };
interface SdkError extends Error {
  $metadata: { httpStatusCode: number };
}

const root = join(import.meta.dirname, '../../..');

/**
 * Declarations of the packages about paged operations without a paginator in botocore, or with their own tokens, by
 * service.
 */
const OWN = Object.assign(
  {},
  ...readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name, 'model/paginators.json'))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as object];
      } catch {
        return [];
      }
    }),
) as Record<string, { paginators?: Record<string, { reason: string }>; own?: Record<string, string> }>;

const PLUGINS = await Promise.all(
  SERVICES.map(async (manifest) => ({ name: manifest.name, plugin: (await manifest.load()) as AnyServicePlugin })),
);
const PAGED = PLUGINS.flatMap(({ name, plugin }) =>
  plugin.paging ? [{ name, plugin, paging: plugin.paging as AnyPaging & WritesTokens }] : [],
);

/** Common requests for pages of any service. */
interface WritesTokens {
  next(operation: string, input: Answer, last: string): Answer;
}

/** Paging members of an operation that has no test. */
const tokenOf = (paging: AnyPaging & WritesTokens, operation: string, input: Answer): string =>
  paging.next(operation, input, 'a')[paging.pagination[operation]!.next] as string;

/** Returns the shape of an input member. */
function shapeOf(model: ServiceModel, operation: string, member: string) {
  const input = model.shapes[model.operations[operation]!.input!.shape]!;
  return model.shapes[input.members![member]!.shape]!;
}

/** Returns a token valid in the model, hexadecimal if required. */
function asToken(model: ServiceModel, operation: string, member: string, text: string): string {
  const { pattern } = shapeOf(model, operation, member);
  if (!pattern || new RegExp(`^(?:${pattern})$`).test(text)) return text;
  const hex = Buffer.from(text).toString('hex');
  return hex.padEnd(Math.max(112, Math.ceil(hex.length / 16) * 16), '0');
}

/** Returns the error of a request. */
async function refusal(start: Start, operation: string, input: Answer): Promise<{ code: string; message: string }> {
  const { stage } = await start.shared();
  const error = await stage.send(operation, input).then(
    () => undefined,
    (thrown: SdkError) => thrown,
  );
  expect(error, `${operation} accepts ${JSON.stringify(input)}`).toBeDefined();
  expect(error!.$metadata?.httpStatusCode, error!.message).toBe(400);
  expect(start.changes()).toEqual([]);
  return { code: error!.name, message: error!.message };
}

/** Returns the inputs of a list by the name and by the ARN of a resource; none if it takes only one of them. */
async function spellingsOf(scenario: Scenario, operation: string, start: Start, input: Answer): Promise<Answer[]> {
  const [named] = await namedIn(scenario, operation, start, () => input);
  if (named?.path.length !== 1) return [];
  const { member, arn } = named;
  const byName = input[member] === arn ? { ...input, [member]: arn.split(/[:/]/).at(-1) } : input;
  const byArn = { ...input, [member]: arn };
  const answers = await Promise.all(
    [byName, byArn].map(async (given) => {
      const { stage } = await start.shared();
      const answer = await stage.send(operation, given).catch(() => undefined);
      return answer && JSON.stringify({ ...answer, $metadata: undefined });
    }),
  );
  return answers[0] !== undefined && answers[0] === answers[1] ? [byName, byArn] : [];
}

/** An error of the SDK. */
const shown = ({ code, message }: AwsError) => ({ code, message });

describe.each(PLUGINS)('paged operations of $name', ({ name, plugin }) => {
  it('have a pager, or a reason for its absence', () => {
    const { paginators = {}, own = {} } = OWN[name] ?? {};
    const implemented = pagingOperations(plugin.model).filter((operation) =>
      Object.hasOwn(plugin.operations, operation),
    );
    const unknown = implemented.filter(
      (operation) => !Object.hasOwn(plugin.paging?.pagination ?? {}, operation) && !Object.hasOwn(own, operation),
    );
    expect(unknown).toEqual([]);
    for (const reason of [...Object.values(own), ...Object.values(paginators).map((one) => one.reason)])
      expect(reason).toMatch(/\w+ \w+/);
  });
});

describe.each(PAGED)('pages of $name', ({ name, plugin, paging }) => {
  const scenario: Scenario = SCENARIOS[name as keyof typeof SCENARIOS];
  const codec = compileService(plugin.model);
  let stages: Stages;
  /** Number of items that were deleted after a page ended with them. */
  let deletions = 0;
  /** Number of lists whose pages were requested by name and ARN. */
  let spelled = 0;

  beforeAll(async () => {
    stages = await Stages.open(scenario);
  });
  afterAll(() => stages[Symbol.asyncDispose]());

  const operations = Object.keys(paging.pagination).filter((operation) => Object.hasOwn(plugin.operations, operation));
  const items: Items = ITEMS[name] ?? {};

  it.each(operations)('%s', async (operation) => {
    const { token, limit } = paging.pagination[operation]!;
    const made = items[operation];
    const start = await stages.startOf(operation);
    const input = { ...scenario.inputs[operation]?.(start.facts), ...made?.input };
    const withToken = (text: string) => ({ ...input, [token]: asToken(plugin.model, operation, token, text) });

    const other = operations.find((candidate) => candidate !== operation);
    const foreign = other ? [tokenOf(paging, other, input)] : [];
    if (!paging.rules.anyParameters?.includes(operation))
      foreign.push(tokenOf(paging, operation, { ...input, Other: 'parameter' }));
    for (const text of ['garbage', ...foreign]) {
      const given = withToken(text);
      const expected = shown(paging.rules.invalidToken(given[token] as string, operation));
      expect(await refusal(start, operation, given)).toEqual(expected);
    }

    const [byName, byArn] = await spellingsOf(scenario, operation, start, input);
    for (const [first, second] of [
      [byName, byArn],
      [byArn, byName],
    ])
      if (first && second) {
        spelled++;
        const given = {
          ...second,
          [token]: asToken(plugin.model, operation, token, tokenOf(paging, operation, first)),
        };
        const { stage } = await start.shared();
        const failed = await stage.send(operation, given).then(
          () => undefined,
          ({ message }: SdkError) => message,
        );
        expect(failed).not.toBe(paging.rules.invalidToken(given[token] as string, operation).message);
      }

    const { min, max } = limit ? shapeOf(plugin.model, operation, limit) : {};
    for (const outside of [min === undefined ? undefined : min - 1, max === undefined ? undefined : max + 1]) {
      if (outside === undefined) continue;
      const given = { ...input, [limit!]: outside };
      const failures = codec.validate(operation, given);
      const words = plugin.validationError?.(failures, operation);
      const refused = await refusal(start, operation, given);
      // If the service leaves the check to its handler, the handler's own tests cover the message.
      if (words !== null && !made?.handlerLimits) expect(refused).toEqual(shown(words ?? validationError(failures)));
    }

    if (made?.make) deletions += await goThrough(paging, operation, start, { ...input }, made as Made, max);
  });

  it.runIf(name === 'lambda' || name === 'secretsmanager')('continue by name and by ARN', () => {
    expect(spelled).toBeGreaterThan(0);
  });

  it('are listed item by item, or have a reason for its absence', () => {
    const without = operations.filter((operation) => !items[operation]?.make && !items[operation]?.unmade);
    expect(without).toEqual([]);
    expect(Object.keys(items).filter((operation) => !operations.includes(operation))).toEqual([]);
  });

  it.runIf(Object.values(items).some(({ make }) => make))('continue at a deleted item', () => {
    expect(deletions).toBeGreaterThan(0);
  });
});

/**
 * Creates items and lists them one by one; then again from a page that ended with the last one, after its deletion.
 * @param most page size
 * @returns the number of pages that began after a deleted item
 */
async function goThrough(
  paging: AnyPaging,
  operation: string,
  start: Start,
  input: Answer,
  { make, list }: Made,
  most: number | undefined,
): Promise<number> {
  const result = list ?? paging.pagination[operation]!.result;
  const itemsOf = (answer: Answer): string[] =>
    [result]
      .flat()
      .flatMap((member) => ((answer[member] as unknown[] | undefined) ?? []).map((one) => JSON.stringify(one)));
  const rules = paging.rules as { defaultLimit: number };
  const { defaultLimit } = rules;
  const { stage, facts } = await start.fresh();
  const { token, next, limit, more } = paging.pagination[operation]!;
  const page = async (from: string | undefined): Promise<{ items: string[]; to: string | undefined }> => {
    const answer = await stage.send(operation, {
      ...input,
      ...(limit && { [limit]: 1 }),
      ...(from && { [token]: from }),
    });
    if (more) expect(answer[more]).toBe(answer[next] !== undefined);
    return { items: itemsOf(answer), to: answer[next] as string | undefined };
  };
  const all = async (from?: string): Promise<{ item: string; to: string | undefined }[]> => {
    const found: { item: string; to: string | undefined }[] = [];
    let to = from;
    do {
      const one = await page(to);
      to = one.to;
      expect(one.items.length).toBeLessThanOrEqual(1);
      found.push(...one.items.map((item) => ({ item, to })));
    } while (to !== undefined);
    return found;
  };
  try {
    if (!limit) rules.defaultLimit = 1;
    // The last one created is between the others in lists ordered by name.
    await make(stage.send, input, 'page-a', facts);
    await make(stage.send, input, 'page-c', facts);
    const before = stage.checkpoint(facts, 'paging');
    const fewer = (await all()).map(({ item }) => item);
    await make(stage.send, input, 'page-b', facts);
    const found = await all();
    rules.defaultLimit = defaultLimit;
    const whole = itemsOf(
      await stage.send(operation, { ...input, ...(limit && { [limit]: Math.min(most ?? 50, 50) }) }),
    );
    if (!limit) rules.defaultLimit = 1;
    const singly = found.map(({ item }) => item);
    // A response with several lists has no order between them.
    expect(typeof result === 'string' ? singly : singly.sort()).toEqual(
      typeof result === 'string' ? whole : whole.sort(),
    );
    expect(new Set(whole).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThanOrEqual(3);
    await stage.restore(before);
    let deletions = 0;
    for (const [index, { item, to }] of found.entries())
      if (!fewer.includes(item) && to !== undefined) {
        deletions++;
        expect((await all(to)).map((one) => one.item)).toEqual(
          found.slice(index + 1).flatMap((one) => (fewer.includes(one.item) ? [one.item] : [])),
        );
      }
    return deletions;
  } finally {
    rules.defaultLimit = defaultLimit;
  }
}
