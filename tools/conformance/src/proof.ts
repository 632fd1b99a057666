import { descriptive } from './descriptive.ts';
import { type Difference, differencesOf } from './differences.ts';
import { type Probe, probesOf } from './probes.ts';
import type { Scenario } from './scenario.ts';
import type { Attempt, Start } from './starts.ts';

/**
 * What is shown of a member: that sending it changes the answer, the state or a refusal of the service (`effect`); only
 * that it is told again as it was sent (`echoed`); only that a handler reads it (`read`); nothing, for no request with it
 * succeeds or could be made (`untried`); that no handler reads it (`unread`).
 */
export type Proof = 'effect' | 'echoed' | 'read' | 'untried' | 'unread';

/** What is shown of each member of an operation's input, by path. */
export type MemberProofs = Record<string, Proof>;

/** From the least that can be shown to the most. */
const RANKS: readonly Proof[] = ['unread', 'untried', 'read', 'echoed', 'effect'];

/** Whether one proof shows less than another. */
export const isWeaker = (one: Proof, other: Proof): boolean => RANKS.indexOf(one) < RANKS.indexOf(other);

/** What came of a request. */
interface Outcome {
  /** Whether it reached a handler; what the client or the model's constraints refuse does not. */
  handled: boolean;
  /** Members that the handler was given. */
  present: ReadonlySet<string>;
  /** Members that it read. */
  reads: ReadonlySet<string>;
  /** The service's error. */
  refusal: string | undefined;
  /** The answer and every record after it, as JSON with ids that were made on the way left out. */
  effect: string;
}

/** The sends of one operation, each from the same state. */
class Sender {
  private readonly known = new Map<string, Promise<Outcome>>();

  constructor(
    private readonly scenario: Scenario,
    private readonly operation: string,
    private readonly start: Start,
  ) {}

  /** What comes of a request; asked twice, it is sent once. */
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

/** What is shown of every member of an operation's input: the most that any of its valid inputs shows. */
export async function proofsOf(scenario: Scenario, operation: string, start: Start): Promise<MemberProofs> {
  const proofs: MemberProofs = {};
  const sender = new Sender(scenario, operation, start);
  const extra = (member: string): readonly unknown[] => scenario.values?.[`${operation}.${member}`] ?? [];
  const inputs = [scenario.inputs[operation] ?? (() => ({})), ...(scenario.also?.[operation] ?? [])];
  for (const input of inputs) {
    const base = input(start.facts);
    const noise = await noiseOf(base, sender);
    for (const probe of probesOf(scenario.model, operation, base, extra)) {
      const known = proofs[probe.member];
      if (known === 'effect') continue;
      const proof = await proofOf(probe, sender, noise);
      if (known === undefined || isWeaker(known, proof)) proofs[probe.member] = proof;
    }
  }
  return proofs;
}

/** Places in which two equal requests differ by chance: keys and the like that are not made from ids. */
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
  // A refusal that does not speak of the member shows nothing of it, nor does a handler that never saw it.
  const seen = outcomes.some(({ present }) => present.has(probe.member));
  if (!seen || reference.refusal !== undefined) return 'untried';
  return outcomes.some(({ reads }) => reads.has(probe.member)) ? 'read' : 'unread';
}

/** What the difference of two outcomes shows of a member that they were sent with different values of. */
function shownBy(
  reference: Outcome,
  outcome: Outcome,
  before: unknown,
  after: unknown,
  noise: ReadonlySet<string>,
): 'effect' | 'echoed' | undefined {
  if (reference.refusal !== undefined || outcome.refusal !== undefined)
    // The model's constraints hold whether a handler knows the member or not.
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

/** A value as JSON, with bytes as one text: some of the bytes of two random values are equal. */
const jsonOf = (root: unknown): string =>
  JSON.stringify(root, function (this: Record<string, unknown>, key, value: unknown) {
    // What has a `toJSON`, as a Buffer has, comes as that made it.
    const own = this[key];
    return own instanceof Uint8Array ? Buffer.from(own).toString('base64') : value;
  });

/** A text in which ids are told by nothing but that they are there: how many were made before them is chance. */
function withoutIds(text: string, ids: ReadonlySet<string>): string {
  let out = text;
  for (const id of ids) if (out.includes(id)) out = out.replaceAll(id, '<id>');
  return out;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Every text by which a value may be told again: itself, what it holds, and what it holds as JSON. */
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

/** Whether what is shown of a member is enough: an effect, or that what only describes is told again. */
export const suffices = (member: string, proof: Proof): boolean =>
  proof === 'effect' || (proof === 'echoed' && descriptive(member) !== undefined);
