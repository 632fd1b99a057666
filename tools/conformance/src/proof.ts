import { descriptive } from './descriptive.ts';
import { type Difference, differencesOf } from './differences.ts';
import { type Probe, probesOf } from './probes.ts';
import type { Scenario } from './scenario.ts';
import type { Attempt, Start } from './starts.ts';
import { ValidValues } from './valid-values.ts';

/**
 * Proof of a member: it changes the response, the state or an error of the service (`effect`); it is only returned as
 * sent (`echoed`); a handler reads it (`read`); no request with it succeeds or is possible (`untried`); no handler
 * reads it (`unread`).
 */
export type Proof = 'effect' | 'echoed' | 'read' | 'untried' | 'unread';

/** Proof of each input member of an operation, by path. */
export type MemberProofs = Record<string, Proof>;

/** From the weakest to the strongest proof. */
const RANKS: readonly Proof[] = ['unread', 'untried', 'read', 'echoed', 'effect'];

/** Whether one proof is weaker than another. */
export const isWeaker = (one: Proof, other: Proof): boolean => RANKS.indexOf(one) < RANKS.indexOf(other);

/** Outcome of a request. */
interface Outcome {
  /** Whether it reached a handler, rather than being rejected by the client or the model's constraints. */
  handled: boolean;
  /** Members in the handler's input. */
  present: ReadonlySet<string>;
  /** Members that the handler read. */
  reads: ReadonlySet<string>;
  /** Error of the service. */
  refusal: string | undefined;
  /** Response and all records after it as JSON, without generated ids. */
  effect: string;
}

/** Sends the requests of one operation, each from the same state. */
class Sender {
  private readonly known = new Map<string, Promise<Outcome>>();

  constructor(
    private readonly scenario: Scenario,
    private readonly operation: string,
    private readonly start: Start,
  ) {}

  /** Returns the outcome of a request, which is sent once. */
  outcomeOf(input: Record<string, unknown>): Promise<Outcome> {
    const key = jsonOf(input);
    let outcome = this.known.get(key);
    if (!outcome) {
      outcome = this.send(input);
      this.known.set(key, outcome);
    }
    return outcome;
  }

  /** Sends a request. */
  async send(input: Record<string, unknown>): Promise<Outcome> {
    const { scenario, operation, start } = this;
    const attempt = Object.hasOwn(scenario.reads, operation) ? await start.shared() : await start.fresh();
    const { stage } = attempt;
    stage.reads.record(operation);
    let answer: Record<string, unknown> | undefined;
    let refusal: string | undefined;
    try {
      const { $metadata: _, ...members } = await stage.send(operation, input);
      answer = members;
    } catch (error) {
      refusal = `${(error as Error).name}: ${(error as Error).message}`;
    }
    stage.reads.stop();
    const { handled } = stage.reads;
    const [present, reads] = [new Set(stage.reads.present), new Set(stage.reads.paths)];
    const after = answer && (await this.follow(attempt, answer));
    const effect = jsonOf({ answer, after, records: Object.fromEntries(stage.records()) });
    return { handled, present, reads, refusal, effect: withoutIds(effect, stage.madeIds) };
  }

  private async follow({ stage, facts }: Attempt, answer: Record<string, unknown>): Promise<unknown> {
    const follow = this.scenario.after?.[this.operation];
    if (!follow) return undefined;
    try {
      return { told: await follow(stage.send, facts, answer) };
    } catch (error) {
      return { refusal: `${(error as Error).name}: ${(error as Error).message}` };
    }
  }
}

/** Returns the strongest proof of every input member of an operation by any of its valid inputs. */
export async function proofsOf(scenario: Scenario, operation: string, start: Start): Promise<MemberProofs> {
  const proofs: MemberProofs = {};
  const sender = new Sender(scenario, operation, start);
  const extra = (member: string): readonly unknown[] => scenario.values?.[`${operation}.${member}`] ?? [];
  const inputs = [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])];
  const values = ValidValues.of(scenario, operation, start.facts);
  const choose = async (_member: string, requests: readonly Record<string, unknown>[]): Promise<number> => {
    for (const [index, request] of requests.entries())
      if ((await sender.outcomeOf(request)).refusal === undefined) return index;
    return 0;
  };
  for (const input of inputs) {
    const base = input(start.facts);
    const noise = await noiseOf(base, sender);
    for (const probe of await probesOf(scenario.model, operation, base, { extra, values, choose })) {
      const known = proofs[probe.member];
      if (known === 'effect') continue;
      const proof = await proofOf(probe, sender, noise);
      if (known === undefined || isWeaker(known, proof)) proofs[probe.member] = proof;
    }
  }
  return proofs;
}

/** Returns the places in which two equal requests differ randomly, such as keys that are not derived from ids. */
async function noiseOf(input: Record<string, unknown>, sender: Sender): Promise<Set<string>> {
  const [one, other] = [await sender.outcomeOf(input), await sender.send(input)];
  return new Set(differencesOf(JSON.parse(one.effect), JSON.parse(other.effect)).map(placeOf));
}

async function proofOf(probe: Probe, sender: Sender, noise: ReadonlySet<string>): Promise<Proof> {
  const reference = await sender.outcomeOf(probe.reference);
  const outcomes = [reference];
  let best: Proof = 'unread';
  for (const other of probe.others) {
    const outcome = await sender.outcomeOf(other.input);
    outcomes.push(outcome);
    const shown = shownBy(reference, outcome, probe.value, other.value, noise);
    if (shown === 'effect') return shown;
    best = shown ?? best;
  }
  if (best === 'echoed') return best;
  // An error that does not mention the member proves nothing about it, nor does a handler that never received it.
  const seen = outcomes.some(({ present }) => present.has(probe.member));
  if (!seen || reference.refusal !== undefined) return 'untried';
  return outcomes.some(({ reads }) => reads.has(probe.member)) ? 'read' : 'unread';
}

/** Returns the proof of a member by the difference of two outcomes with different values of it. */
function shownBy(
  reference: Outcome,
  outcome: Outcome,
  before: unknown,
  after: unknown,
  noise: ReadonlySet<string>,
): 'effect' | 'echoed' | undefined {
  if (reference.refusal !== undefined || outcome.refusal !== undefined)
    // The model's constraints apply whether the handler uses the member or not.
    return reference.refusal !== outcome.refusal && reference.handled && outcome.handled ? 'effect' : undefined;
  if (reference.effect === outcome.effect) return undefined;
  const differences = differencesOf(JSON.parse(reference.effect), JSON.parse(outcome.effect)).filter(
    (difference) => !noise.has(placeOf(difference)),
  );
  if (!differences.length) return undefined;
  const [old, now] = [textsIn(before), textsIn(after)];
  const isEcho = (difference: Difference): boolean =>
    now.has(textOf(difference.after)) || old.has(textOf(difference.before));
  return differences.every(isEcho) ? 'echoed' : 'effect';
}

const placeOf = ({ path }: Difference): string => path.join('\n');

/** Returns a value as JSON, with bytes as one text, because some bytes of two random values are equal. */
const jsonOf = (root: unknown): string =>
  JSON.stringify(root, function (this: Record<string, unknown>, key, value: unknown) {
    // A value with `toJSON`, such as a Buffer, arrives converted.
    const own = this[key];
    return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
  });

/** Replaces ids in a text, because the number of earlier ids is random. */
function withoutIds(text: string, ids: ReadonlySet<string>): string {
  let out = text;
  for (const id of ids) if (out.includes(id)) out = out.replaceAll(id, '<id>');
  return out;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Returns every text in which a value may be returned: itself, its contents, and its contents as JSON. */
function textsIn(value: unknown, into = new Set<string>()): Set<string> {
  if (value === undefined) return into;
  if (value instanceof Date) {
    const time = value.getTime();
    for (const text of [time, time / 1000, value.toJSON()]) into.add(String(text));
  } else if (value instanceof Uint8Array) {
    for (const encoding of ['base64', 'utf8'] as const) into.add(Buffer.from(value).toString(encoding));
  } else if (typeof value === 'object' && value !== null) {
    into.add(JSON.stringify(value));
    for (const element of Object.values(value)) textsIn(element, into);
  } else {
    into.add(String(value));
    if (typeof value === 'string' && /^[[{]/.test(value)) textsIn(parsed(value), into);
  }
  return into;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the proof of a member is sufficient: an effect, or for a descriptive member its return. */
export const suffices = (member: string, proof: Proof): boolean =>
  proof === 'effect' || (proof === 'echoed' && descriptive(member) !== undefined);
