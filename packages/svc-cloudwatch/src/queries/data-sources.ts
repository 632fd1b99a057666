import { notImplemented, servicePrincipal } from '@emu/core/service';
import type { MessageData } from '@emu/service-types/cloudwatch';
import { AwsError, parseJson } from '@emu/wire';
import { type Expression, MathError } from '../math/parse.ts';
import type { NamedSeries, SourceStatus } from '../math/values.ts';
import type { TimeRange } from '../metrics/time-series.ts';
import type { CloudwatchState } from '../state.ts';

/** Service principal with which CloudWatch calls data source functions. */
const SERVICE = 'lambda.datasource.cloudwatch';
const MAX_ARGUMENTS = 20;
const STATUSES: ReadonlySet<unknown> = new Set(['Complete', 'InternalError', 'PartialData', 'Forbidden']);

type Argument = string | number | boolean;

/** A call of `LAMBDA`: the function and its arguments. */
export interface SourceCall {
  readonly name: string;
  readonly arguments: readonly Argument[];
}

/** Response of a data source: series, or an error. */
export type SourceAnswer = NamedSeries[] | MathError;

/**
 * Parses the arguments of `LAMBDA`.
 * @throws MathError
 */
export function sourceCallOf([first, ...rest]: readonly Expression[]): SourceCall {
  if (first?.kind !== 'string') throw new MathError('LAMBDA takes the name of a function');
  if (rest.length > MAX_ARGUMENTS) throw new MathError(`LAMBDA takes at most ${MAX_ARGUMENTS} arguments`);
  return { name: first.value, arguments: rest.map(argumentOf) };
}

function argumentOf(expression: Expression): Argument {
  if (expression.kind === 'string' || expression.kind === 'number') return expression.value;
  if (expression.kind === 'id' && /^(?:true|false)$/.test(expression.name)) return expression.name === 'true';
  if (expression.kind === 'negate' && expression.operand.kind === 'number') return -expression.operand.value;
  throw new MathError('LAMBDA takes strings, numbers and booleans');
}

/** Returns the key of a data source's response. */
export const sourceKey = (call: SourceCall, period: number): string => JSON.stringify([period, call]);

/**
 * Requests time series from a data source function.
 * @param range in epoch seconds
 * @throws AwsError `NotImplemented` if Lambda is not available
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_MultiDataSources-Connect-Custom.html
 */
export async function askSource(
  state: CloudwatchState,
  call: SourceCall,
  period: number,
  range: TimeRange,
): Promise<SourceAnswer> {
  const failed = (status: SourceStatus, Code: string, Value: string): NamedSeries[] => [
    { label: call.name, period, times: [], values: [], status, messages: [{ Code, Value }] },
  ];
  try {
    const { Payload, FunctionError } = await state.call(
      'lambda',
      'Invoke',
      {
        FunctionName: call.name,
        Payload: Buffer.from(
          JSON.stringify({
            EventType: 'GetMetricData',
            GetMetricDataRequest: {
              StartTime: range.start,
              EndTime: range.end,
              Period: period,
              Arguments: call.arguments,
            },
          }),
        ),
      },
      {
        principal: servicePrincipal(SERVICE, state.accountId),
        authorize: { sourceAccount: state.accountId },
      },
    );
    const answer = objectIn(Buffer.from((Payload as Uint8Array | undefined) ?? []).toString());
    if (FunctionError !== undefined)
      return failed('InternalError', FunctionError, String(answer?.errorMessage ?? FunctionError));
    const error = answer?.Error as { Code?: unknown; Value?: unknown } | undefined;
    if (error?.Code === 'Validation') return new MathError(String(error.Value));
    if (error) {
      const status = error.Code === 'Forbidden' ? 'Forbidden' : 'InternalError';
      return failed(status, String(error.Code), String(error.Value));
    }
    const results = answer?.MetricDataResults;
    if (!Array.isArray(results)) return failed('InternalError', 'InternalError', 'The function returned no results.');
    return results.map((result: unknown) => seriesOf(result, call.name, period, range));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'NotImplemented') throw notImplemented('cloudwatch', 'LAMBDA without Lambda');
    return failed(/AccessDenied/.test(error.code) ? 'Forbidden' : 'InternalError', error.code, error.message);
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns one series of a response, without datapoints outside the requested range. */
function seriesOf(result: unknown, name: string, period: number, { start, end }: TimeRange): NamedSeries {
  const { Label, StatusCode, Messages, Timestamps, Values } = (result ?? {}) as Record<string, unknown>;
  const [times, values] = [Timestamps, Values].map((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  const points = new Map<number, number>();
  for (const [index, time] of times!.entries()) {
    const value = values![index];
    if (typeof time !== 'number' || typeof value !== 'number' || !Number.isFinite(value)) continue;
    if (time >= start && time < end && (time - start) % period === 0) points.set(time, value);
  }
  const sorted = [...points].sort(([a], [b]) => a - b);
  return {
    label: typeof Label === 'string' ? Label : name,
    period,
    times: sorted.map(([time]) => time),
    values: sorted.map(([, value]) => value),
    ...(STATUSES.has(StatusCode) && { status: StatusCode as SourceStatus }),
    ...(Array.isArray(Messages) && { messages: Messages.flatMap(messageOf) }),
  };
}

function messageOf(message: unknown): MessageData[] {
  const { Code, Value } = (message ?? {}) as Record<string, unknown>;
  return typeof Code === 'string' && typeof Value === 'string' ? [{ Code, Value }] : [];
}
