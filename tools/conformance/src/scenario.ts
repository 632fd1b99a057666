import type { ServiceManifest } from '@emu/core/service';
import type { EmbeddedEmulator } from '@emu/emulator';
import type { ServiceModel } from '@emu/wire';

/** Facts of the state for requests, e.g. the URL of a queue. */
export type Facts = Record<string, string>;

/** Sends one operation through the official SDK client. */
export type Send = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Data of a service that the conformance run needs besides its model. */
export interface Scenario {
  service: string;
  /** Further services that its requests need. */
  others?: readonly string[];
  /** Fakes of services that emu lacks, with the operations that the requests need. */
  fakes?: readonly ServiceManifest[];
  model: ServiceModel;
  /** Timeout in milliseconds for work that depends on time, if the state contains work that never ends. */
  patience?: number;
  /** Settings of emu by environment variable, for example to skip delays of state changes. */
  settings?: Readonly<Record<string, string>>;
  /** Creates a client of an emulator and returns the function that sends requests. */
  client(emulator: EmbeddedEmulator): Send;
  /** Creates the state that base inputs refer to. Every request starts from it. */
  setUp(send: Send): Promise<Facts>;
  /** A valid input of every operation. Operations without required input may be omitted. */
  inputs: Readonly<Record<string, (facts: Facts) => Record<string, unknown>>>;
  /** Further valid inputs, for members without meaning in `inputs`. */
  also?: Readonly<Record<string, readonly ((facts: Facts) => Record<string, unknown>)[]>>;
  /** State for one operation, created after `setUp`. It adds facts for that operation. */
  before?: Readonly<Record<string, (send: Send, facts: Facts) => Promise<Facts>>>;
  /** Operations whose state is more than records, such as running processes. It is recreated for each request. */
  live?: readonly string[];
  /**
   * Values for members, by operation and path, e.g. `CreateQueue.Attributes`, besides those generated from the model.
   */
  values?: Readonly<Record<string, readonly unknown[]>>;
  /** Action after an operation that makes the effects of its members visible. Its result counts as state. */
  after?: Readonly<Record<string, (send: Send, facts: Facts, answer: Record<string, unknown>) => Promise<unknown>>>;
  /** Output members, by path as in AWS's messages, that violate constraints in AWS itself, with the reason. */
  deviations?: readonly { path: RegExp; reason: string }[];
  /** Whether a response rejects (a part of) a request without an error, as in batches. */
  refuses?(output: Record<string, unknown>): boolean;
  /** Whether AWS itself returns an error with status 500 or more, as S3 does for unsupported headers. */
  declines?(error: Error): boolean;
  /** Operations that AWS rejects for any input, each with the reason. */
  withdrawn?: Readonly<Record<string, string>>;
  /** State as returned by describing operations, in which changes must be visible. */
  observe(send: Send, facts: Facts): Promise<unknown>;
  /**
   * Read-only operations, each with a change (sent first) after which its response must differ; undefined if the
   * response depends on the input only.
   */
  reads: Readonly<Record<string, ((send: Send, facts: Facts) => Promise<unknown>) | undefined>>;
}
