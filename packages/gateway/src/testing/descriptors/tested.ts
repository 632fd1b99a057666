import type { Filtered, IdForm, MadeOperation } from '@emu/core/descriptors';
import type { AnyServicePlugin, ServiceManifest } from '@emu/core/service';
import type { AwsError, ServiceModel } from '@emu/wire';
import type { TestEmulatorOptions } from '../emulator.ts';

/** Members of an input, an output or a record of any type. */
export type Members = { readonly [Name in string]?: unknown };
/** Ids that name a record, by the members of inputs. */
export type Ids = { readonly [Member in string]: string };
/** Ids of the records that a test made, by the names of the tested resources. */
export type MadeIds = { readonly [Resource in string]: Ids };

/** A rule for duplicates or references of any record. */
export interface TestedRule {
  readonly unique?: readonly string[] | undefined;
  readonly reference?: string | undefined;
  error?(record: never): AwsError;
  readonly to?: object | 'self';
  readonly states?: readonly string[];
  wrongState?(id: string, state: string): AwsError;
  readonly form?: { write(id: string): string };
  missing?(id: string): AwsError;
  readonly onDelete?: {
    refuse?(target: never, referrer: never, ctx: never): AwsError | undefined;
    readonly delete?: true;
  };
}

/** Pagination of a list. */
interface TestedPagination {
  readonly token: string;
  readonly next: string;
  readonly limit?: string;
  readonly result: string | readonly string[];
}

/** A descriptor of any types. */
export interface TestedDescriptor {
  readonly name: string;
  readonly key: string;
  readonly names: readonly string[];
  readonly made: readonly MadeOperation[];
  readonly parts: { readonly owner: object | undefined };
  readonly service: {
    readonly model: ServiceModel;
    readonly paging: { readonly pagination: { readonly [Operation in string]?: TestedPagination } };
    readonly tags?: { readonly member: string; record(tags: unknown): Readonly<Record<string, string>> };
    readonly filters?: { readonly member: string; unknown(name: string): AwsError };
  };
  readonly options: {
    readonly id?: IdForm | ((record: never, change: never) => string);
    malformed?(id: string, ctx: never): AwsError;
    readonly tagged?: boolean;
    readonly rules?: readonly (TestedRule | ((record: never, change: never) => void))[];
    readonly states?: {
      refuse?(id: string, state: never): AwsError;
      readonly creating?: { readonly state: string };
      readonly deleting?: { readonly state: string; readonly next?: string };
    };
    readonly filters?: { readonly [Name in string]: string | ((record: never, ctx: never, state: never) => Filtered) };
  };
  source(state: never): object;
  unknown(id: string, ctx: never): AwsError;
  stateOf(record: never, ctx: never): string;
}

/** A descriptor with valid inputs of its operations. */
export interface DescriptorCase {
  readonly descriptor: TestedDescriptor;
  /** The operation that creates a record, unless it comes from the descriptor. */
  readonly creation?: string;
  /**
   * Returns a valid input of the creation.
   * @param made ids of records of the resources before this one
   * @param n inputs of different numbers do not collide
   */
  input(made: MadeIds, n: number): object;
  /** Largest number of records of an owner, if the rules limit it. */
  readonly most?: number;
  /** Valid inputs of the other operations, without the ids of the record itself. */
  readonly others?: { readonly [Operation in string]: (made: MadeIds) => object };
  /** Operations that are not for the records of these inputs. */
  readonly without?: readonly string[];
  /** Changes of the creation's input that break a rule, with the code of the error, by what is wrong. */
  readonly invalid?: { readonly [Title in string]: (made: MadeIds) => readonly [changes: object, code: string] };
}

/** A service for the tests of its descriptors. */
export interface DescriptorTests {
  /** The service, whose operations are made from the descriptors. */
  readonly plugin: AnyServicePlugin;
  /** Its manifest; by default one that is made from the plugin. */
  readonly manifest?: ServiceManifest;
  /** The other services that it calls. */
  readonly services?: readonly ServiceManifest[];
  readonly options?: TestEmulatorOptions;
  /** The descriptors by name, referenced ones first. */
  readonly resources: { readonly [Name in string]: DescriptorCase };
  /** Returns an input that creates a resource with tags. */
  tagged?(input: object, tags: Readonly<Record<string, string>>, resource: string): object;
  /** Member that asks for a dry run, and the code of its error. */
  readonly dryRun?: { readonly member: string; readonly code: string };
}

/** Returns the operations of a kind that were made from a descriptor. */
export const operationsOf = (descriptor: TestedDescriptor, ...kinds: MadeOperation['kind'][]): MadeOperation[] =>
  descriptor.made.filter(({ kind }) => kinds.includes(kind));

/** Returns the operation that creates records; undefined without one. */
export const creationOf = ({ descriptor, creation }: DescriptorCase): string | undefined =>
  creation ?? operationsOf(descriptor, 'create')[0]?.operation;

const rulesOf = ({ options }: TestedDescriptor): TestedRule[] =>
  (options.rules ?? []).filter((rule): rule is TestedRule => typeof rule === 'object');

/** A rule that refers to records. */
export interface TestedReference extends TestedRule {
  readonly reference: string;
  readonly to: TestedDescriptor;
}

/** Returns the rules of a descriptor that refer to records. */
export const referencesOf = (descriptor: TestedDescriptor): TestedReference[] =>
  rulesOf(descriptor)
    .filter(({ reference }) => reference !== undefined)
    .map((rule) => ({ ...rule, to: rule.to === 'self' ? descriptor : rule.to }) as TestedReference);

/** Returns the rules of a descriptor that reject duplicates. */
export const uniquesOf = (descriptor: TestedDescriptor): TestedRule[] =>
  rulesOf(descriptor).filter(({ unique }) => unique !== undefined);

/** Whether an operation's input has a member. */
export const takes = ({ service: { model } }: TestedDescriptor, operation: string, member: string): boolean =>
  Object.hasOwn(model.shapes[model.operations[operation]?.input?.shape ?? '']?.members ?? {}, member);

const NOTHING = {
  uuid: () => '00000000-0000-4000-8000-000000000000',
  bytes: (length: number) => Buffer.alloc(length),
  hex: (length: number) => '0'.repeat(length),
  chars: (length: number) => '0'.repeat(length),
  random: () => 0,
};

/** Returns an id that names no record. */
export const unknownId = ({ options }: TestedDescriptor): string =>
  typeof options.id === 'object' ? options.id.make(NOTHING) : 'unknown';
