import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { expect, it } from 'vitest';
import {
  callsServices,
  type Definition,
  difference,
  type Events,
  hasRecordings,
  type Json,
  jsonText,
  paired,
  plain,
  recordedRuns,
  SERVED,
} from './recorded-runs.ts';
import { startSfn } from './support.ts';

/** Returns the recorded details of an event by member name. */
const detailsOf = (events: Events, member: string, has: string): { [key: string]: Json } =>
  (events.findLast((event) => has in ((event[member] ?? {}) as object))?.[member] ?? {}) as { [key: string]: Json };
const expression = (text: string): string => JSON.stringify(`{% ${text} %}`);

const FUNCTION = 'arn:aws:lambda:us-east-1:111111111111:function:lambda_function_name';

const TRUSTED = 'arn:aws:iam::222222222222:role/trusted';

/** Response of a function in a recording; undefined after a timeout. */
type FunctionAnswer = (() => object) | undefined;

/** Returns the responses of functions in a recording, in order. */
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

/** Substitutions of recorded tests in definitions, by parameter or outcome. */
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
  test_comments_as_per_docs: (text) =>
    text.replace(/arn:aws:lambda:your-region[^"]*/g, FUNCTION.replace('function_name', 'function_1_name')),
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

/** Returns the expression in a recorded failure. */
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

/** Recordings that cannot be compared, with the reason, by test. */
const INCOMPARABLE: Readonly<Record<string, string>> = {
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

/** Recordings that differ, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  test_parallel_state_nested: 'the recording lacks events of the inner branches',
  test_lambda_invoke_with_retry_extended_input: EARLIER,
  test_lambda_service_invoke_with_retry_extended_input: EARLIER,
  test_service_lambda_map_timeout: 'AWS began the second iteration before the first had entered its state',
  'test_invoke_json_values[0.0]': 'the input is a number that JavaScript writes otherwise',
};

/** Required number of equal runs; of others, the first differing event is printed. */
const MIN_EQUAL = 326;

/** Returns a definition with the recorded test's substitutions. */
const filled = (definition: Definition, test: string, parameter: string, events: Events): Definition =>
  JSON.parse(
    (FILLED[test] ?? ((text: string) => text))(withFunctions(JSON.stringify(definition), events), parameter, events),
  ) as Definition;

/** Inserts the function into a definition if the recording contains its call. */
const withFunctions = (text: string, events: Events): string =>
  events.some(({ type }) => type === 'LambdaFunctionScheduled' || type === 'TaskScheduled')
    ? text.replaceAll(
        /"(Resource|FunctionName)":"(?:_+tb[cd]_+|%LAMBDA_FUNCTION_ARN_LITERAL_PLACEHOLDER%)"/gi,
        `"$1":"${FUNCTION}"`,
      )
    : text;

it.skipIf(!hasRecordings)(
  'reproduces the recorded runs without service calls except functions',
  { timeout: 120_000 },
  async () => {
    let answers: FunctionAnswer[] = [];
    let late: (() => void)[] = [];
    const lambda = fakeService('lambda', {
      Invoke: () => {
        const answer = answers.shift();
        return answer ? Promise.resolve().then(answer) : new Promise<object>((resolve) => late.push(() => resolve({})));
      },
    });
    await using test = await startSfn({ manifests: [lambda] });
    let same = 0;
    const services = new Set<string>();
    const unpaired = new Map<string, number>();
    const leave = (why: string): void => void unpaired.set(why, (unpaired.get(why) ?? 0) + 1);
    const different: [name: string, first: string][] = [];
    for (const run of recordedRuns()) {
      const { events } = run;
      if (Object.hasOwn(INCOMPARABLE, run.test)) {
        leave(INCOMPARABLE[run.test]!);
        continue;
      }
      const definitions = run.definitions.map(({ path, definition }) => ({
        path,
        definition: filled(definition, run.test, run.parameter, events),
      }));
      // A definition that the test completes cannot be compared by itself.
      const candidates = paired(
        run,
        definitions.filter(({ definition }) => !/_tbd_/i.test(JSON.stringify(definition))),
      );
      const playable = candidates.filter(({ definition }) => !callsServices(definition));
      if (playable.length === 0) {
        const calls = definitions.some(({ definition }) => callsServices(definition));
        if (calls || events.some(({ type }) => type === 'TaskScheduled')) services.add(run.test);
        else leave(`no reason is known: ${run.test}`);
        continue;
      }
      const input = JSON.parse(run.input.replaceAll('<trusted_role_arn>', TRUSTED)) as Json;
      let first: string | undefined = '';
      for (const { definition } of playable) {
        try {
          answers = functionAnswers(events);
          first = difference(run, (await test.run(definition, input)).events);
          if (first === undefined) break;
        } catch (error) {
          first = `${run.name}: ${String(error).slice(0, 600)}`;
        } finally {
          for (const answer of late) answer();
          late = [];
        }
      }
      if (first === undefined) same++;
      else different.push([run.name, first]);
    }
    const alone = [...unpaired.values()].reduce((sum, number) => sum + number, 0);
    console.info(`played ${same + different.length}, of which ${same} are the same; unpaired ${alone}`);
    console.info([...unpaired].map(([why, number]) => `unpaired ${number}: ${why}`).join('\n'));
    console.info(different.map(([, first]) => first).join('\n'));
    expect(
      different.filter(
        ([name]) => !Object.hasOwn(DIFFERENT, name) && !Object.hasOwn(DIFFERENT, name.replace(/\[.*/s, '')),
      ),
    ).toEqual([]);
    expect([...unpaired.keys()].filter((why) => why.startsWith('no reason'))).toEqual([]);
    expect([...services].filter((name) => !SERVED.has(name))).toEqual([]);
    expect(same).toBeGreaterThanOrEqual(MIN_EQUAL);
  },
);
