import { readFileSync, statSync } from 'node:fs';
import { asString, isObject } from '@emu/wire';
import { runtimeFailure, StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';

/** Mocked result or failure of a task at an attempt. */
export type MockedResponse = { result: Json } | { failure: StateFailure };

/** Mocked tasks of an execution. */
export interface TestCase {
  /**
   * Returns the mocked response of a state; undefined if it is not mocked.
   * @param attempt counted from zero
   * @throws StateFailure `States.Runtime` if the file has no response for the attempt
   */
  response(state: string, attempt: number): MockedResponse | undefined;
}

const member = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * File of mocked integrations, read again after changes.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/sfn-local-mock-cfg-file.html
 */
export class MockFile {
  private read: { at: number; size: number; content: JsonObject } | undefined;

  /** @param path undefined without a file */
  constructor(private readonly path: string | undefined) {}

  /**
   * Returns a test case of a state machine.
   * @throws Error if it is missing, or the file cannot be read
   */
  testCase(machine: string, name: string): TestCase {
    if (this.path === undefined) throw new Error('SFN_MOCK_CONFIG does not name a file of mocked integrations.');
    const content = this.content(this.path);
    const cases = member(member(content.StateMachines, machine), 'TestCases');
    const states = member(cases, name);
    if (!isObject(states)) throw new Error(`The mocked integrations have no test case ${name} of ${machine}.`);
    return {
      response: (state, attempt) => {
        const named = member(states, state);
        if (typeof named !== 'string') return undefined;
        const found = responseAt(member(content.MockedResponses, named), attempt);
        if (found) return found;
        throw runtimeFailure(`The mocked response ${named} has nothing for the attempt ${attempt}.`);
      },
    };
  }

  private content(path: string): JsonObject {
    const { mtimeMs: at, size } = statSync(path);
    if (this.read?.at !== at || this.read.size !== size) {
      const content = JSON.parse(readFileSync(path, 'utf8')) as Json;
      if (!isObject(content)) throw new Error(`${path} is not a JSON object.`);
      this.read = { at, size, content };
    }
    return this.read.content;
  }
}

/** Returns the response for an attempt, by number or range such as `1-2`. */
function responseAt(response: Json | undefined, attempt: number): MockedResponse | undefined {
  for (const [key, entry] of isObject(response) ? Object.entries(response) : []) {
    const [first, last = first] = key.split('-').map(Number);
    if (first === undefined || attempt < first || attempt > (last ?? first)) continue;
    const thrown = member(entry, 'Throw');
    if (isObject(thrown)) {
      const { Error: error, Cause: cause } = thrown;
      return {
        failure: new StateFailure(asString(error), asString(cause)),
      };
    }
    return { result: member(entry, 'Return') ?? null };
  }
  return undefined;
}
