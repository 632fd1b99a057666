import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { expect, it } from 'vitest';
import { startSfn } from './support.ts';

/** Folder of recorded runs of AWS, with the definitions that ran; where it is absent nothing is played. */
const folder = process.env.EMULATOR_AWS_RECORDINGS ?? '/nonexistent';
const root = join(folder, 'stepfunctions');

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Recording {
  'recorded-content': { get_execution_history?: { events?: { [key: string]: Json }[] } };
}
interface Definition {
  StartAt: string;
  States: Record<string, unknown>;
}

type Events = readonly { [key: string]: Json }[];

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
/** Definitions are JSON5, which is an expression of JavaScript. */
const readDefinition = (path: string): Definition =>
  JSON.parse(JSON.stringify(runInNewContext(`(${readFileSync(path, 'utf8')})`))) as Definition;

/** Texts that are JSON objects are recorded as objects. */
function plain(value: Json): Json {
  if (typeof value === 'string' && /^[{[]/.test(value))
    try {
      return plain(JSON.parse(value) as Json);
    } catch {
      return value;
    }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

/** What of an event can be compared: recordings stand in `<…>` for what differs from run to run. */
function matches(recorded: Json, ours: Json): boolean {
  if (typeof recorded === 'string') {
    if (
      [
        '"date"',
        'X-Amzn-Trace-Id',
        'x-amzn-RequestId',
        'RequestId',
        'map_run_arn',
        'timestamp',
        'datetime',
        'date',
        'start-time',
        'entered-time',
        'snf_role_arn',
      ].includes(recorded)
    )
      return true;
    if (!recorded.includes('<')) return recorded === ours;
    const pattern = recorded
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/<[^<>]*>/g, '[\\s\\S]*')
      .replaceAll('<', '')
      .replaceAll('>', '');
    return typeof ours === 'string' && new RegExp(`^${pattern}$`).test(ours);
  }
  if (Array.isArray(recorded))
    return (
      Array.isArray(ours) &&
      recorded.length === ours.length &&
      recorded.every((item, index) => matches(item, ours[index]!))
    );
  // Recordings have read some outputs that are numbers.
  if (typeof recorded === 'number' && ours === String(recorded)) return true;
  if (typeof recorded !== 'object' || recorded === null) return recorded === ours;
  if (typeof ours !== 'object' || ours === null || Array.isArray(ours)) return false;
  const keys = new Set([...Object.keys(recorded), ...Object.keys(ours)]);
  // JSON was written with other spaces.
  keys.delete('Content-Length');
  return [...keys].every((key) => key in recorded && key in ours && matches(recorded[key]!, ours[key]!));
}

/** An event without its place in the history. */
const placeless = ({ id: _, previousEventId: __, ...event }: { [key: string]: Json }): Json => event;

/**
 * Where the histories differ first; -1 where they do not. Of branches that run side by side recordings have no places:
 * from the first such event on, those events are compared in any order.
 */
function firstDifference(recorded: { [key: string]: Json }[], ours: { [key: string]: Json }[]): number {
  const left = [...ours];
  for (const [position, event] of recorded.entries()) {
    const free = Array.isArray(event.id);
    const found = free
      ? left.findIndex((own) => matches(placeless(event), placeless(own)))
      : left.findIndex((own) => own.id === event.id);
    if (found < 0) return position;
    const own = left.splice(found, 1)[0]!;
    // Of distributed maps AWS changed which event the exit follows; recordings have both.
    if (event.type === 'MapStateExited' && matches(placeless(event), placeless(own))) continue;
    // After branches the event before is whichever came last.
    if (!free && !matches(event, own) && !matches(placeless(event), placeless(own))) return position;
    if (!free && !matches(event, own) && !recorded.some(({ id }) => Array.isArray(id))) return position;
  }
  // Where branches have no places, the recording lacks what tells how they have ended.
  const free = recorded.some(({ id }) => Array.isArray(id));
  const rest = left.filter(({ type }) => !(free && /^ParallelState(Succeeded|Failed)$/.test(String(type))));
  return rest.length === 0 ? -1 : recorded.length;
}

/** The recorded details of an event, by the name of their member. */
const detailsOf = (events: Events, member: string, has: string): { [key: string]: Json } =>
  (events.findLast((event) => has in ((event[member] ?? {}) as object))?.[member] ?? {}) as { [key: string]: Json };
/** JSON text, which recordings have as what it stands for. */
const jsonText = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));
const expression = (text: string): string => JSON.stringify(`{% ${text} %}`);

const FUNCTION = 'arn:aws:lambda:us-east-1:111111111111:function:lambda_function_name';

const TRUSTED = 'arn:aws:iam::222222222222:role/trusted';

/** How a function answered in a recording; undefined where it was too late. */
type FunctionAnswer = (() => object) | undefined;

/** How functions answered in a recording, in order. */
function functionAnswers(events: Events): FunctionAnswer[] {
  const payload = (value: Json) => Buffer.from(JSON.stringify(value));
  return events.flatMap((event): FunctionAnswer[] => {
    const type = String(event.type);
    const [details] = Object.entries(event).flatMap(([name, value]) => (name.endsWith('EventDetails') ? [value] : []));
    const { resourceType, output, cause } = (details ?? {}) as { [key: string]: Json };
    if (!type.startsWith('LambdaFunction') && resourceType !== 'lambda') return [];
    if (type.endsWith('TimedOut')) return [undefined];
    if (type === 'LambdaFunctionSucceeded')
      return [() => ({ StatusCode: 200, Payload: Buffer.from(jsonText(output)) })];
    if (type === 'TaskSucceeded') {
      const { Payload, StatusCode, ExecutedVersion, LogResult } = plain(output!) as { [key: string]: Json };
      return [() => ({ StatusCode, ExecutedVersion, LogResult, Payload: payload(Payload ?? null) })];
    }
    if (!type.endsWith('Failed')) return [];
    const said = plain(cause!);
    if (typeof said !== 'string') return [() => ({ FunctionError: 'Unhandled', Payload: payload(said) })];
    return [
      () => {
        throw awsError('ResourceNotFoundException', said.replace(/ \(Service: .*$/s, ''), { status: 404 });
      },
    ];
  });
}

/** What a recorded test puts into a definition before it makes a state machine of it, by its parameter or what came of it. */
const FILLED: Readonly<Record<string, (text: string, parameter: string, events: Events) => string>> = {
  test_json_path_array_access: (text, parameter) => text.replace('$.items[0]', () => parameter),
  test_json_path_array_wildcard_or_slice_with_no_input: (text, parameter) =>
    text.replace('$.items[0]', () => parameter),
  test_input_path: (text, parameter) => text.replace('%CONTEXT_OBJECT_LITERAL_PLACEHOLDER%', () => parameter),
  test_output_path: (text, parameter) => text.replace('%CONTEXT_OBJECT_LITERAL_PLACEHOLDER%', () => parameter),
  test_base_map: (text, parameter) =>
    !parameter.startsWith('ITEMS') ? text : text.replace('"Items":[1]', '"Items":"{% [1,2,3] %}"'),
  test_base_map_from_input: (text, parameter) =>
    !parameter.startsWith('ITEMS')
      ? text
      : text.replace('"Items":[1]', () => '"Items":"{% $states.input.input_value %}"'),
  test_result_selector: (text) => text.replace('%CONTEXT_OBJECT_LITERAL_PLACEHOLDER%', () => '$$.Execution.Input'),
  test_raise_custom_exception: (text) => text.replace('"ErrorEquals":[]', '"ErrorEquals":["CustomException"]'),
  test_variable: (text) => text.replace('%CONTEXT_OBJECT_LITERAL_PLACEHOLDER%', () => '$$.Execution.Input.input-value'),
  test_base_output_any_non_dict: (text, parameter, events) =>
    text.replace('"_tbd_"', () =>
      parameter === 'JSONATA_EXPR'
        ? expression('$states.input')
        : jsonText(detailsOf(events, 'stateExitedEventDetails', 'output').output),
    ),
  test_map_state_items_eval_jsonata: (text, _, events) =>
    text.replace('"_tbd_"', () => expression(jsonText(detailsOf(events, 'stateExitedEventDetails', 'output').output))),
  test_map_state_items_eval_jsonata_fail: (text, _, events) =>
    text.replace('"_tbd_"', () => expression(recordedExpression(events))),
  test_map_state_items_eval_jsonata_variable_sampling_fail: assignedItems,
  test_map_state_items_variable_sampling: assignedItems,
};

/** The expression that a recorded failure names. */
function recordedExpression(events: Events): string {
  const { cause } = detailsOf(events, 'evaluationFailedEventDetails', 'cause');
  return /expression '(.*)' specified for/s.exec(String(cause))![1]!;
}

function assignedItems(text: string, _: string, events: Events): string {
  const { assignedVariables } = detailsOf(events, 'stateExitedEventDetails', 'assignedVariables');
  return text.replace('"_tbd_"', () => jsonText((assignedVariables as { ItemsVar: Json }).ItemsVar));
}

const PUT_IN = 'the test puts a field into the definition that the recording does not tell from others';
const CHILDREN = 'functions are called by executions of a distributed Map, whose histories are not recorded';
const LARGE = 'the recording lacks the answer that was too large';
const NO_INPUT = 'the recording has a word in place of the time that the input had';
const MADE_UP = 'the test makes its definition of a text that the recording lacks';
const NO_EXPRESSION = 'the test puts an expression into the definition that the recording lacks';

/** Definitions that the index lacks. */
const ALSO: Readonly<Record<string, (parameter: string) => string>> = {
  test_base: (parameter) => `base/statemachines/${parameter.replace(/_ALL_.*/, '')}`,
  test_partial_log_levels: (parameter) => `base/statemachines/${parameter.replace(/_(ERROR|FATAL|OFF)_.*/, '')}`,
  test_map_state_retry_multiple_retriers: () => 'scenarios/statemachines/map_state_retry_multiple_retriers.json5',
  test_map_state_catch_empty_fail: () => 'scenarios/statemachines/map_state_catch_empty_fail.json5',
  test_choice_unsorted_parameters: () => 'scenarios/statemachines/choice_state_unsorted_choice_parameters.json5',
};

/** Why recordings tell nothing, by their tests. */
const UNTOLD: Readonly<Record<string, string>> = {
  test_state_pass_result_jsonpaths: 'the test puts another result into the definition',
  test_wait_timestamp_path: NO_INPUT,
  test_wait_timestamp_jsonata: NO_INPUT,
  test_base_jsonata_regular_expressions: NO_EXPRESSION,
  test_merge_with_dynamic_args: NO_EXPRESSION,
  test_map_state_config_distributed_reentrant_lambda: CHILDREN,
  test_map_state_nested_config_distributed_no_max_max_concurrency: CHILDREN,
  test_base_task: PUT_IN,
  test_base_task_from_input: PUT_IN,
  test_service_task_lambada_data_limit_exceeded_on_large_utf8_response: LARGE,
  test_service_task_lambada_catch_state_all_data_limit_exceeded_on_large_utf8_response: LARGE,
  test_task_lambda_data_limit_exceeded_on_large_utf8_response: LARGE,
  test_task_lambda_catch_state_all_data_limit_exceeded_on_large_utf8_response: LARGE,
  test_items_path: MADE_UP,
  test_start_large_input: MADE_UP,
  test_max_concurrency_path_negative: 'the recording ends with its first event',
  test_wait_timestamppath: NO_INPUT,
  test_timestamp_too_far_in_future_boundary: NO_INPUT,
};

const EARLIER = 'the context object had no RedriveCount then';

/** Recordings that differ, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  test_parallel_state_nested: 'the recording lacks events of the inner branches',
  test_lambda_invoke_with_retry_extended_input: EARLIER,
  test_lambda_service_invoke_with_retry_extended_input: EARLIER,
  test_service_lambda_map_timeout: 'AWS began the second iteration before the first had entered its state',
  'test_invoke_json_values[0.0]': 'the input is a number that JavaScript writes otherwise',
};

/** How many are the same; the first event that differs is printed of each of the others. */
const LEAST_SAME = 324;

/** A definition as the recorded test made it. */
const filled = (definition: Definition, test: string, parameter: string, events: Events): Definition =>
  JSON.parse(
    (FILLED[test] ?? ((text: string) => text))(withFunctions(JSON.stringify(definition), events), parameter, events),
  ) as Definition;

/** A definition with the function in its place, where the recording shows that one was called. */
const withFunctions = (text: string, events: Events): string =>
  events.some(({ type }) => type === 'LambdaFunctionScheduled' || type === 'TaskScheduled')
    ? text.replaceAll(
        /"(Resource|FunctionName)":"(?:_+tbd_+|%LAMBDA_FUNCTION_ARN_LITERAL_PLACEHOLDER%)"/gi,
        `"$1":"${FUNCTION}"`,
      )
    : text;

/** What is called besides functions. */
const RESOURCE = /"Resource":"(?!arn:aws:states:::lambda:invoke"|arn:aws:lambda:us-east-1:)|"ItemReader"/;

if (!existsSync(root)) console.info('no recordings are played: EMULATOR_AWS_RECORDINGS names no folder that has them');

it.skipIf(!existsSync(root))('plays the recorded runs whose services exist', { timeout: 120_000 }, async () => {
  const index = readJson<Record<string, { definitions: string[] }>>(join(root, 'definitions', 'index.json'));
  let answers: FunctionAnswer[] = [];
  let late: (() => void)[] = [];
  const lambda = fakeService('lambda', {
    Invoke: () => {
      const answer = answers.shift();
      return answer ? Promise.resolve().then(answer) : new Promise<object>((resolve) => late.push(() => resolve({})));
    },
  });
  await using test = await startSfn({ manifests: [lambda] });
  const count = { same: 0, absent: 0 };
  const unpaired = new Map<string, number>();
  const leave = (why: string): void => void unpaired.set(why, (unpaired.get(why) ?? 0) + 1);
  const different: [name: string, first: string][] = [];
  const files = readdirSync(join(root, 'v2'), { recursive: true }) as string[];
  for (const file of files.filter(
    (name) => name.endsWith('.snapshot.json') && !name.startsWith('state/') && !name.startsWith('local_mocking'),
  ))
    for (const [name, recording] of Object.entries(readJson<Record<string, Recording>>(join(root, 'v2', file)))) {
      const events = recording['recorded-content'].get_execution_history?.events;
      if (!events?.[0]) continue;
      const parameter = /\[(.*)\]$/.exec(name)?.[1] ?? '';
      const entered = events.find(({ stateEnteredEventDetails: details }) => details) as
        | { stateEnteredEventDetails: { name: string } }
        | undefined;
      const testName = /::(\w+)(?:\[|$)/.exec(name.split('::').slice(1).join('::'))?.[1] ?? '';
      if (Object.hasOwn(UNTOLD, testName)) {
        leave(UNTOLD[testName]!);
        continue;
      }
      const named = index[name.replace(/\[.*$/s, '')]?.definitions ?? [];
      const names = named.length > 0 ? named : [ALSO[testName]?.(parameter) ?? []].flat();
      const definitions = names.map((path) => ({
        path,
        definition: filled(readDefinition(join(root, 'definitions', path)), testName, parameter, events),
      }));
      const first = entered?.stateEnteredEventDetails.name;
      const candidates = definitions.filter(
        // A definition that the test completes says nothing by itself.
        ({ definition }) => !/_tbd_/i.test(JSON.stringify(definition)) && definition.StartAt === first,
      );
      if (candidates.length === 0) {
        // What is completed is the function or stream that is called.
        const calls = definitions.some(({ definition }) => RESOURCE.test(JSON.stringify(definition)));
        if (calls || events.some(({ type }) => type === 'TaskScheduled')) count.absent++;
        else leave(`no reason is known: ${testName}`);
        continue;
      }
      const wanted = parameter.toLowerCase();
      const paired = candidates.filter(({ path }) => wanted.includes(path.split('/').at(-1)!.replace('.json5', '')));
      const playable = (paired.length > 0 ? paired : candidates).filter(
        ({ definition }) => !RESOURCE.test(JSON.stringify(definition)),
      );
      if (playable.length === 0) {
        count.absent++;
        continue;
      }
      const { input } = (events[0] as { executionStartedEventDetails: { input: Json } }).executionStartedEventDetails;
      const text = (typeof input === 'string' ? input : JSON.stringify(input)).replaceAll(
        '<trusted_role_arn>',
        TRUSTED,
      );
      const value = JSON.parse(text) as Json;
      let difference = '';
      let found = false;
      for (const { definition } of playable) {
        try {
          answers = functionAnswers(events);
          const played = await test.run(definition, value);
          const ours = plain(played.events as unknown as Json) as { [key: string]: Json }[];
          const recorded = plain(events.map(({ timestamp: _, ...event }) => event) as Json) as {
            [key: string]: Json;
          }[];
          const spot = firstDifference(recorded, ours);
          found = spot < 0;
          if (found) break;
          difference ||= `${name.split('::').at(-1)}\n  AWS ${JSON.stringify(recorded[spot])?.slice(0, 600)}\n  emu ${JSON.stringify(ours[spot])?.slice(0, 600)}`;
        } catch (error) {
          difference ||= `${name.split('::').at(-1)}: ${String(error).slice(0, 600)}`;
        } finally {
          for (const answer of late) answer();
          late = [];
        }
      }
      if (found) count.same++;
      else different.push([name.split('::').at(-1)!, difference]);
    }
  const alone = [...unpaired.values()].reduce((sum, number) => sum + number, 0);
  console.info(
    `played ${count.same + different.length}, of which ${count.same} are the same; unpaired ${alone}, service absent ${count.absent}`,
  );
  console.info([...unpaired].map(([why, number]) => `unpaired ${number}: ${why}`).join('\n'));
  console.info(different.map(([, first]) => first).join('\n'));
  expect(
    different.filter(
      ([name]) => !Object.hasOwn(DIFFERENT, name) && !Object.hasOwn(DIFFERENT, name.replace(/\[.*/s, '')),
    ),
  ).toEqual([]);
  expect([...unpaired.keys()].filter((why) => why.startsWith('no reason'))).toEqual([]);
  expect(count.same).toBeGreaterThanOrEqual(LEAST_SAME);
});
