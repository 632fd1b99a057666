import type { AwsError } from '@emu/wire';
import type { Place, ResourceType } from '../resources/resource-type.ts';

/** Identifiers of a quota in AWS. */
export interface QuotaName {
  /** AWS's code of the service in Service Quotas, e.g. `sns`. */
  readonly serviceCode: string;
  /** AWS's code of the quota, e.g. `L-61103206`. */
  readonly code: string;
}

/** Period of a quota, as in Service Quotas. */
export interface QuotaPeriod {
  readonly value: number;
  readonly unit: 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY';
}

/** The period of rates in requests per second. */
export const PER_SECOND: QuotaPeriod = { value: 1, unit: 'SECOND' };

/** A quota's data in Service Quotas. */
export interface QuotaFacts extends QuotaName {
  /** AWS's name of it. */
  readonly name: string;
  /** Default value of an account; by region if AWS's regions differ. */
  readonly defaultValue: number | ((region: string) => number);
  /** Whether AWS increases it on request. */
  readonly adjustable: boolean;
  /** Whether one value applies to all regions together. */
  readonly global?: true;
  /** Unit of the value in Service Quotas; `None` by default. */
  readonly unit?: string;
  /** Undefined for a quota without a period. */
  readonly period?: QuotaPeriod;
  /** The page with the name and the default. */
  readonly page: string;
  /** Undefined if no page names one. */
  readonly usageMetric?: UsageMetric;
}

/** The metric in CloudWatch's `AWS/Usage` that counts an operation's calls for a quota. */
export interface UsageMetric {
  /** Its dimension `Service`, e.g. `CloudWatch`. */
  readonly service: string;
  /** Its dimension `Resource`: the operation. */
  readonly resource: string;
}

/**
 * Returns the count after an operation; undefined if it creates nothing, for example because the resource exists.
 * Called before the handler, with a validated input.
 */
export type Growth<Input, State> = (input: Input, state: State, place: Place) => number | undefined;

/** A quota of a number of items. */
export interface NumberQuota<Operations, State> extends QuotaFacts {
  /**
   * Returns an account's number of items, without scanning; undefined for quotas of one resource, such as a rule's
   * targets, which have no usage by account.
   */
  readonly usage?: (state: State) => number;
  /** The operations that can create items. */
  readonly grows: {
    readonly [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? Growth<Input, State>
      : never;
  };
  /** Returns the service's error above the limit. */
  error(limit: number, input: unknown): AwsError;
}

/** A quota of requests per second, for one operation or several together. */
export interface RateQuota<Operations, State> extends QuotaFacts {
  /**
   * The operations, with how much of the quota a request takes: `true` stands for 1; 0 or less for an input that
   * belongs to another quota.
   */
  readonly rate: {
    readonly [Name in keyof Operations]?: Operations[Name] extends { input: infer Input }
      ? true | ((input: Input, state: State, place: Place) => number)
      : never;
  };
  /** Burst: requests at once after a pause; by default those of a second, and at least one. */
  readonly burst?: number | ((region: string) => number);
  /** Whether calls of other services on behalf of their callers count, as KMS counts encryption by S3. */
  readonly calls?: true;
  /** Returns the service's error above the limit. */
  error(limit: number, input: unknown): AwsError;
}

/**
 * A quota that the service applies itself with `ServiceHandle.quotaLimit`, because the limit decides how much is done
 * instead of whether.
 */
export interface OwnQuota<State> extends QuotaFacts {
  readonly own: true;
  /** Returns an account's number of items; undefined for quotas of one resource. */
  readonly usage?: (state: State) => number;
}

/**
 * A quota that Service Quotas lists and emu does not enforce: its limit always applies, as for sizes, or emu lacks the
 * subject.
 */
export interface ListedQuota extends QuotaFacts {
  readonly listed: true;
}

/** A declared quota of a service. */
export type Quota<Operations, State> =
  | NumberQuota<Operations, State>
  | RateQuota<Operations, State>
  | OwnQuota<State>
  | ListedQuota;

/** A quota of any inputs and state. */
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

/** Checks the types of a service's quotas, and erases them. */
export const defineQuotas = <Operations, State>(quotas: readonly Quota<Operations, State>[]): readonly AnyQuota[] =>
  quotas as unknown as readonly AnyQuota[];

/**
 * Returns the growth by an operation that creates a resource of a type: the type's count plus one, unless the input's
 * resource exists.
 */
export const oneMore =
  <Key, State>(type: ResourceType<Key, State>, operation?: string): Growth<unknown, State> =>
  (input, state, place) => {
    const named = type.identify(input as Readonly<Record<string, unknown>>, place, operation);
    return named && type.find(state, named.key) ? undefined : type.count(state) + 1;
  };

/**
 * Declares a rate quota of one operation or several together.
 * @param of data of the quota in Service Quotas
 * @param operations operations that each take one of it, or how much of it each takes
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

/** Returns a value that may differ by region. */
export const inRegion = (value: number | ((region: string) => number), region: string): number =>
  typeof value === 'number' ? value : value(region);

/** A quota that is only listed: code, name, default, and differences from the common case. */
export type ListedRow = readonly [
  code: string,
  name: string,
  defaultValue: number,
  more?: Partial<Pick<QuotaFacts, 'adjustable' | 'global' | 'period' | 'unit'>>,
];

/**
 * Declares quotas of a service that are only listed.
 * @param of common data of the quotas
 * @param rows not adjustable by default
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
