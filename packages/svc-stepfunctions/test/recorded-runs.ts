import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { isObject } from '@emu/wire';
import { sharedPath } from '../../../tools/testing/shared.ts';

/** Folder of runs recorded from AWS, with their definitions. */
const root = sharedPath('aws-recordings/stepfunctions');
/** Whether the recordings are available. */
export const hasRecordings = root !== undefined;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Recording {
  'recorded-content': { get_execution_history?: { events?: { [key: string]: Json }[] } };
}
export interface Definition {
  StartAt: string;
  States: Record<string, unknown>;
}

export type Events = readonly { [key: string]: Json }[];

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
/** Parses a JSON5 definition as a JavaScript expression. */
const readDefinition = (path: string): Definition =>
  JSON.parse(JSON.stringify(runInNewContext(`(${readFileSync(path, 'utf8')})`))) as Definition;

/** Parses texts that are JSON objects, which recordings contain as objects. */
export function plain(value: Json): Json {
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

/** Compares events: recordings contain `<…>` for values that differ by run. */
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
        'start-date',
        'x-amz-crc32',
        'stop-date',
      ].includes(recorded)
    )
      return true;
    if (!recorded.includes('<')) return recorded === ours;
    const pattern = recorded
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/<(?:[^<>]|<[^<>]*>)*>/g, '[\\s\\S]*')
      .replaceAll('<', '')
      .replaceAll('>', '');
    if (typeof ours === 'number' && /^<[^<>]*>$/.test(recorded)) return true;
    return typeof ours === 'string' && new RegExp(`^${pattern}$`).test(ours);
  }
  if (Array.isArray(recorded))
    return (
      Array.isArray(ours) &&
      recorded.length === ours.length &&
      recorded.every((item, index) => matches(item, ours[index]!))
    );
  // Recordings contain some numeric outputs as numbers.
  if (typeof recorded === 'number' && ours === String(recorded)) return true;
  if (typeof recorded !== 'object' || recorded === null) return recorded === ours;
  if (!isObject(ours)) return false;
  const keys = new Set([...Object.keys(recorded), ...Object.keys(ours)]);
  // JSON formatting and time differ.
  keys.delete('Content-Length');
  keys.delete('Date');
  return [...keys].every((key) => key in recorded && key in ours && matches(recorded[key]!, ours[key]!));
}

/** Returns an event without its position in the history. */
const placeless = ({ id: _, previousEventId: __, ...event }: { [key: string]: Json }): Json => event;

/**
 * Returns the index of the first difference; -1 if there is none. Recordings contain no positions for concurrent
 * branches: events from there on are compared in any order.
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
    // AWS changed which event this exit follows for distributed maps; recordings have both.
    if (event.type === 'MapStateExited' && matches(placeless(event), placeless(own))) continue;
    // After branches the previous event is the last of any branch.
    if (!free && !matches(event, own) && !matches(placeless(event), placeless(own))) return position;
    if (!free && !matches(event, own) && !recorded.some(({ id }) => Array.isArray(id))) return position;
  }
  // Recordings without positions lack the end events of branches.
  const free = recorded.some(({ id }) => Array.isArray(id));
  const rest = left.filter(({ type }) => !(free && /^ParallelState(Succeeded|Failed)$/.test(String(type))));
  return rest.length === 0 ? -1 : recorded.length;
}

/** Returns JSON text, which recordings contain as parsed values. */
export const jsonText = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Definitions missing in the index. */
const ALSO: Readonly<Record<string, (parameter: string) => string>> = {
  test_base: (parameter) => `base/statemachines/${parameter.replace(/_ALL_.*/, '')}`,
  test_partial_log_levels: (parameter) => `base/statemachines/${parameter.replace(/_(ERROR|FATAL|OFF)_.*/, '')}`,
  test_map_state_retry_multiple_retriers: () => 'scenarios/statemachines/map_state_retry_multiple_retriers.json5',
  test_map_state_catch_empty_fail: () => 'scenarios/statemachines/map_state_catch_empty_fail.json5',
  test_choice_unsorted_parameters: () => 'scenarios/statemachines/choice_state_unsorted_choice_parameters.json5',
};

/** A recorded run with the definitions of its test. */
export interface RecordedRun {
  /** Name of the test, with its parameter in brackets if any. */
  readonly name: string;
  readonly test: string;
  readonly parameter: string;
  readonly events: Events;
  /** JSON text of the input. */
  readonly input: string;
  readonly definitions: readonly { readonly path: string; readonly definition: Definition }[];
}

/** Yields all recorded runs of state machines. */
export function* recordedRuns(): Generator<RecordedRun> {
  if (root === undefined) return;
  const index = readJson<Record<string, { definitions: string[] }>>(join(root, 'definitions', 'index.json'));
  const files = (readdirSync(join(root, 'v2'), { recursive: true }) as string[]).filter(
    (name) => name.endsWith('.snapshot.json') && !name.startsWith('state/') && !name.startsWith('local_mocking'),
  );
  for (const file of files)
    for (const [name, recording] of Object.entries(readJson<Record<string, Recording>>(join(root, 'v2', file)))) {
      const events = recording['recorded-content'].get_execution_history?.events;
      if (!events?.[0]) continue;
      const parameter = /\[(.*)\]$/.exec(name)?.[1] ?? '';
      const test = /::(\w+)(?:\[|$)/.exec(name.split('::').slice(1).join('::'))?.[1] ?? '';
      const { input } = (events[0] as { executionStartedEventDetails: { input: Json } }).executionStartedEventDetails;
      const named = index[name.replace(/\[.*$/s, '')]?.definitions ?? [];
      const paths = named.length > 0 ? named : [ALSO[test]?.(parameter) ?? []].flat();
      yield {
        name: name.split('::').at(-1)!,
        test,
        parameter,
        events,
        input: jsonText(input),
        definitions: paths.map((path) => ({ path, definition: readDefinition(join(root, 'definitions', path)) })),
      };
    }
}

/** Returns the definitions that match a run's start, restricted to those in its parameter if any. */
export function paired<T extends { path: string; definition: Definition }>(run: RecordedRun, all: readonly T[]): T[] {
  const entered = run.events.find(({ stateEnteredEventDetails: details }) => details) as
    | { stateEnteredEventDetails: { name: string } }
    | undefined;
  const first = entered?.stateEnteredEventDetails.name;
  const candidates = all.filter(({ definition }) => definition.StartAt === first);
  const wanted = run.parameter.toLowerCase();
  const named = candidates.filter(({ path }) => wanted.includes(path.split('/').at(-1)!.replace('.json5', '')));
  if (named.length > 0) return named.sort((a, b) => b.path.length - a.path.length).slice(0, 1);
  // Parameters without a name have a number.
  const number = /^(?:state_machine_template|input_params)(\d)/.exec(run.parameter)?.[1];
  return number === undefined ? candidates : all.slice(Number(number), Number(number) + 1);
}

/**
 * Returns the difference between a history and the recorded one; undefined if equal.
 * @param events as returned by GetExecutionHistory, without times
 */
export function difference({ name, events: theirs }: RecordedRun, events: readonly object[]): string | undefined {
  const ours = plain(events as unknown as Json) as { [key: string]: Json }[];
  const recorded = plain(theirs.map(({ timestamp: _, ...event }) => event) as Json) as { [key: string]: Json }[];
  const spot = firstDifference(recorded, ours);
  if (spot < 0) return undefined;
  const [aws, emu] = [recorded, ours].map((all) => JSON.stringify(all[spot])?.slice(0, 1600));
  return `${name}\n  AWS ${aws}\n  emu ${emu}`;
}

/** Whether a definition calls other services than Lambda. */
export const callsServices = (definition: Definition): boolean =>
  /"Resource":"(?!arn:aws:states:::lambda:invoke"|arn:aws:lambda:us-east-1:)|"ItemReader"/.test(
    JSON.stringify(definition),
  );

/** Tests whose runs call services, which are covered by integration tests. */
export const SERVED: ReadonlySet<string> = new Set([
  'test_activity_task',
  'test_activity_task_failure',
  'test_activity_task_no_worker_name',
  'test_activity_task_on_deleted',
  'test_activity_task_start_timeout',
  'test_activity_task_with_heartbeat',
  'test_base_integrations',
  'test_cross_account_states_start_sync_execution',
  'test_dynamodb_invalid_param',
  'test_dynamodb_put_delete_item',
  'test_dynamodb_put_get_item',
  'test_dynamodb_put_item_no_such_table',
  'test_dynamodb_put_update_get_item',
  'test_fifo_message_attribute',
  'test_heartbeat_no_timeout',
  'test_heartbeat_path_timeout',
  'test_heartbeat_timeout',
  'test_invalid_jsonpath',
  'test_invalid_param',
  'test_invalid_secret_name',
  'test_invoke_base',
  'test_invoke_error',
  'test_invoke_with_body_post',
  'test_invoke_with_headers',
  'test_invoke_with_query_parameters',
  'test_list_secrets',
  'test_map_item_batching_base_json_max_per_batch_jsonata',
  'test_map_item_reader_base_csv_headers_decl',
  'test_map_item_reader_base_csv_headers_first_line',
  'test_map_item_reader_base_json',
  'test_map_item_reader_base_json_max_items',
  'test_map_item_reader_base_json_max_items_jsonata',
  'test_map_item_reader_base_json_with_items_path',
  'test_map_item_reader_base_list_objects_v2',
  'test_map_item_reader_csv_first_row_extra_fields',
  'test_map_item_reader_csv_headers_decl_duplicate_headers',
  'test_map_item_reader_csv_headers_decl_extra_fields',
  'test_map_item_reader_csv_headers_first_row_typed_headers',
  'test_map_item_reader_csv_max_items',
  'test_map_item_reader_csv_max_items_paths',
  'test_map_item_reader_json_no_json_list_object',
  'test_map_state_result_writer',
  'test_multiple_heartbeat_notifications',
  'test_no_such_bucket',
  'test_publish_base',
  'test_publish_base_error_topic_arn',
  'test_publish_message_attributes',
  'test_put_events_base',
  'test_put_events_malformed_detail',
  'test_put_events_mixed_malformed_detail',
  'test_put_events_no_source',
  'test_put_item_invalid_table_name',
  'test_put_item_no_such_table',
  'test_reference_in_map_state_max_items_path',
  'test_run_task',
  'test_run_task_raise_failure',
  'test_run_task_sync',
  'test_run_task_sync_raise_failure',
  'test_s3_get_object',
  'test_s3_no_such_key',
  'test_s3_put_object',
  'test_send_message',
  'test_send_message_attributes',
  'test_send_message_empty_body',
  'test_send_message_no_such_queue',
  'test_send_message_no_such_queue_no_catch',
  'test_send_message_unsupported_parameters',
  'test_sfn_send_task_outcome_with_no_such_token',
  'test_sfn_start_execution',
  'test_sfn_start_execution_implicit_json_serialisation',
  'test_sns_publish_wait_for_task_token',
  'test_sqs_failure_in_wait_for_task_tok',
  'test_sqs_failure_in_wait_for_task_tok_no_error_field',
  'test_sqs_failure_in_wait_for_task_token',
  'test_sqs_wait_for_task_tok_with_heartbeat',
  'test_sqs_wait_for_task_token',
  'test_sqs_wait_for_task_token_call_chain',
  'test_sqs_wait_for_task_token_no_token_parameter',
  'test_sqs_wait_for_task_token_timeout',
  'test_start_execution',
  'test_start_execution_input_json',
  'test_start_execution_no_such_arn',
  'test_start_execution_sync',
  'test_start_execution_sync2',
  'test_start_execution_sync_delegate_failure',
  'test_start_execution_sync_delegate_timeout',
  'test_sync_with_task_token',
  'test_variables_in_lambda_task',
]);
