import type { ServiceManifest } from '@emu/core/service';
import type { EmbeddedEmulator } from '@emu/emulator';
import type { ServiceModel } from '@emu/wire';

/** Facts of the state that a request can refer to, e.g. the URL of a queue. */
export type Facts = Record<string, string>;

/** Sends one operation through the official SDK client. */
export type Send = (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** What the conformance run must know of a service besides its model. */
export interface Scenario {
  service: string;
  /** Services that its requests need besides. */
  others?: readonly string[];
  /** Services that emu does not have, which answer as far as the requests need. */
  fakes?: readonly ServiceManifest[];
  model: ServiceModel;
  /** Milliseconds after which what waits for time is no longer waited for, where the state has what waits for ever. */
  patience?: number;
  /** Settings of emu by their environment variables, as states that pass at once. */
  settings?: Readonly<Record<string, string>>;
  /** Makes a client of an emulator, and with it the way to send. */
  client(emulator: EmbeddedEmulator): Send;
  /** Makes the state that base inputs refer to; every request meets it fresh. */
  setUp(send: Send): Promise<Facts>;
  /** A valid input of every operation; operations that need none may be left out. */
  inputs: Readonly<Record<string, (facts: Facts) => Record<string, unknown>>>;
  /** More valid inputs, for members that mean nothing in the one of `inputs`. */
  also?: Readonly<Record<string, readonly ((facts: Facts) => Record<string, unknown>)[]>>;
  /** State that only one operation needs, made after `setUp`; the facts it adds are those of that operation. */
  before?: Readonly<Record<string, (send: Send, facts: Facts) => Promise<Facts>>>;
  /** Operations whose state is more than records, as processes that run are: it is made anew for each of their requests. */
  live?: readonly string[];
  /** Values to try for members, by operation and path, e.g. `CreateQueue.Attributes`, besides those made from the model. */
  values?: Readonly<Record<string, readonly unknown[]>>;
  /** What to do after an operation so that the effects of its members show; its result counts as state. */
  after?: Readonly<Record<string, (send: Send, facts: Facts, answer: Record<string, unknown>) => Promise<unknown>>>;
  /** Output members, by their paths as AWS prints them, whose constraints AWS itself breaks, and how. */
  deviations?: readonly { path: RegExp; reason: string }[];
  /** Whether an answer refuses (a part of) a request without being an error, as batches do. */
  refuses?(output: Record<string, unknown>): boolean;
  /** Whether an error of status 500 or more is what AWS itself answers, as S3 does to headers it has no use for. */
  declines?(error: Error): boolean;
  /** Operations that AWS refuses whatever they ask for, each with the reason. */
  withdrawn?: Readonly<Record<string, string>>;
  /** What describing operations say of the state: a change must show here. */
  observe(send: Send, facts: Facts): Promise<unknown>;
  /**
   * Operations that only read, each with a change (sent first) after which its answer must differ; undefined where the
   * answer follows from the input alone.
   */
  reads: Readonly<Record<string, ((send: Send, facts: Facts) => Promise<unknown>) | undefined>>;
}
