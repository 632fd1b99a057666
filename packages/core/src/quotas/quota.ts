import type { AwsError } from '@emu/wire';
import type { Place, ResourceType } from '../resources/resource-type.ts';

/** How AWS tells quotas apart. */
export interface QuotaName {
  /** AWS's code of the service in Service Quotas, e.g. `sns`. */
  readonly serviceCode: string;
  /** AWS's code of the quota, e.g. `L-61103206`. */
  readonly code: string;
}

/** Length of time over which a quota counts, as Service Quotas gives it. */
export interface QuotaPeriod {
  readonly value: number;
  readonly unit: 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY';
}

/** The period of rates in requests per second. */
export const PER_SECOND: QuotaPeriod = { value: 1, unit: 'SECOND' };

/** What Service Quotas tells of a quota. */
export interface QuotaFacts extends QuotaName {
  /** AWS's name of it. */
  readonly name: string;
  /** What an account has that never asked for more; by region where AWS's regions differ. */
  readonly defaultValue: number | ((region: string) => number);
  /** Whether AWS raises it on request. */
  readonly adjustable: boolean;
  /** Whether one value holds for all regions together. */
  readonly global?: true;
  /** Unit of the value as Service Quotas gives it; `None` by default. */
  readonly unit?: string;
  /** Undefined for what is counted over no time. */
  readonly period?: QuotaPeriod;
  /** The page that shows the name and the default. */
  readonly page: string;
  /** Undefined where no page names one. */
  readonly usageMetric?: UsageMetric;
}

/** The metric in CloudWatch's `AWS/Usage` that counts the calls of an operation towards a quota. */
export interface UsageMetric {
  /** Its dimension `Service`, e.g. `CloudWatch`. */
  readonly service: string;
  /** Its dimension `Resource`: the operation. */
  readonly resource: string;
}

/**
 * How many there would be after an operation; undefined where it makes none, as where what it names is there already.
 * Called before the handler, with a validated input.
 */
export type Growth<Input, State> = (input: Input, state: State, place: Place) => number | undefined;

/** A quota of how many there may be. */
export interface NumberQuota<Operations, State> extends QuotaFacts {
  /**
   * How many an account has, told without scanning; undefined for quotas of one resource, as of a rule's targets, which
   * have no usage of an account.
   */
  readonly usage?: (state: State) => number;
  /** The operations that may make more. */
  readonly grows: {
    readonly [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? Growth<Input, State>
      : never;
  };
  /** What the service answers beyond it. */
  error(limit: number, input: unknown): AwsError;
}

/** A quota of requests per second, of one operation or of several together. */
export interface RateQuota<Operations, State> extends QuotaFacts {
  /**
   * The operations that it is about, with how much of it a request takes: 1 by `true`; 0 or less where the input turns out
   * to be for another quota.
   */
  readonly rate: {
    readonly [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? true | ((input: Input, state: State, place: Place) => number)
      : never;
  };
  /** Requests at once after a pause; by default those of a second, and never less than one. */
  readonly burst?: number | ((region: string) => number);
  /** Whether what other services do for their callers counts too, as KMS counts what S3 encrypts. */
  readonly calls?: true;
  /** What the service answers beyond it. */
  error(limit: number, input: unknown): AwsError;
}

/**
 * A quota that the service looks at by itself, where its limit decides how much is done and not only whether: it asks for
 * `ServiceHandle.quotaLimit`.
 */
export interface OwnQuota<State> extends QuotaFacts {
  readonly own: true;
  /** How many an account has; undefined for quotas of one resource. */
  readonly usage?: (state: State) => number;
}

/**
 * A quota that Service Quotas lists and that emu does not enforce: its own limit holds always, as of sizes, or what it is
 * about does not happen here.
 */
export interface ListedQuota extends QuotaFacts {
  readonly listed: true;
}

/** A quota as a service declares it. */
export type Quota<Operations, State> =
  | NumberQuota<Operations, State>
  | RateQuota<Operations, State>
  | OwnQuota<State>
  | ListedQuota;

/** A quota whose inputs and state are its service's own business. */
export interface AnyQuota extends QuotaFacts {
  readonly usage?: (state: never) => number;
  readonly grows?: Readonly<Record<string, Growth<never, never>>>;
  readonly rate?: Readonly<Record<string, true | ((input: never, state: never, place: Place) => number)>>;
  readonly burst?: number | ((region: string) => number);
  readonly calls?: true;
  readonly own?: true;
  readonly listed?: true;
  error?(limit: number, input: unknown): AwsError;
}

/** Checks a service's quotas by its types and hides them. */
export const defineQuotas = <Operations, State>(quotas: readonly Quota<Operations, State>[]): readonly AnyQuota[] =>
  quotas as unknown as readonly AnyQuota[];

/**
 * The growth of an operation that makes a resource of a type: one more than the type counts, unless what the input names
 * exists.
 */
export const oneMore =
  <Key, State>(type: ResourceType<Key, State>, operation?: string): Growth<unknown, State> =>
  (input, state, place) => {
    const named = type.identify(input as Readonly<Record<string, unknown>>, place, operation);
    return named && type.find(state, named.key) ? undefined : type.count(state) + 1;
  };

/**
 * The rate of requests to one operation or to several together.
 * @param of the quota as Service Quotas has it
 * @param operations the operations, each of which takes one of it; or how much of it each takes
 */
export const requestRate = <Operations, State>(
  of: Omit<QuotaFacts, 'period' | 'unit'>,
  operations: readonly (keyof Operations & string)[] | RateQuota<Operations, State>['rate'],
  error: RateQuota<Operations, State>['error'],
): RateQuota<Operations, State> => ({
  ...of,
  period: PER_SECOND,
  rate: (Array.isArray(operations)
    ? Object.fromEntries(operations.map((operation) => [operation, true]))
    : operations) as RateQuota<Operations, State>['rate'],
  error,
});

/** A value that may differ by region. */
export const inRegion = (value: number | ((region: string) => number), region: string): number =>
  typeof value === 'number' ? value : value(region);

/** What Service Quotas shows of a quota that is only listed: code, name, default, and what differs from the common case. */
export type ListedRow = readonly [
  code: string,
  name: string,
  defaultValue: number,
  more?: Partial<Pick<QuotaFacts, 'adjustable' | 'global' | 'period' | 'unit'>>,
];

/**
 * Quotas of a service that are only listed.
 * @param of what they have in common
 * @param rows not adjustable unless they say so
 */
export const listedQuotas = (of: Pick<QuotaFacts, 'page' | 'serviceCode'>, rows: readonly ListedRow[]): ListedQuota[] =>
  rows.map(([code, name, defaultValue, more]) => ({
    ...of,
    code,
    name,
    defaultValue,
    adjustable: false,
    ...more,
    listed: true,
  }));
