import type { FaultRecord, FaultRequest, FaultTarget } from '@emu/control-client';
import type { Ids } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';

/** A call that is cut off: the listener ends the connection instead of answering. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection';
  constructor() {
    super('the connection was cut by an injected fault');
  }
}

/** The call that a fault may hit. */
interface Call {
  service: string;
  operation: string;
  accountId: string;
  region: string;
  protocol: string;
}

/** Most rules that are kept. */
const MAX_RULES = 1000;

/** The faults in force, tried in the order in which they were added; the first that hits decides. */
export class InjectedFaults {
  private rules: FaultRecord[] = [];

  constructor(private readonly ids: Ids) {}

  /** Whether there is anything to try. */
  get active(): boolean {
    return this.rules.length > 0;
  }

  /**
   * Adds a fault.
   * @throws RangeError when there are too many
   */
  add(fault: FaultRequest): FaultRecord {
    if (this.rules.length >= MAX_RULES) throw new RangeError(`there are ${MAX_RULES} faults already`);
    const { share = 1, times, ...rest } = fault;
    const rule: FaultRecord = { id: this.ids.uuid(), ...rest, share, hits: 0 };
    if (times !== undefined) rule.remaining = times;
    this.rules.push(rule);
    return rule;
  }

  /** Every fault in force, oldest first. */
  list(): readonly FaultRecord[] {
    return this.rules;
  }

  /** Ends a fault, or all. @returns how many ended */
  clear(id?: string): number {
    const before = this.rules.length;
    this.rules = id === undefined ? [] : this.rules.filter((rule) => rule.id !== id);
    return before - this.rules.length;
  }

  /**
   * Does to a call what the faults in force ask for.
   * @throws AwsError the error to answer
   * @throws DroppedConnection
   */
  async strike(call: Call): Promise<void> {
    const rule = this.rules.find((candidate) => matches(candidate, call) && this.ids.random() < candidate.share);
    if (!rule) return;
    rule.hits++;
    if (rule.remaining !== undefined && --rule.remaining <= 0) this.clear(rule.id);
    // Real time on purpose: latency is what the client feels, also while the emulated clock stands still.
    if (rule.latency) await new Promise((resolve) => setTimeout(resolve, rule.latency));
    if (rule.drop) throw new DroppedConnection();
    if (rule.throttle) throw throttled(call.protocol, rule.throttle.retryAfterSeconds);
    if (rule.error) {
      const { code, message = 'This error was injected.', status } = rule.error;
      throw awsError(code, message, status === undefined ? {} : { status });
    }
  }
}

function matches(target: FaultTarget, call: Call): boolean {
  return (['service', 'operation', 'accountId', 'region'] as const).every(
    (name) => target[name] === undefined || target[name] === call[name],
  );
}

/** Throttling as the protocol's services word it. */
function throttled(protocol: string, retryAfter: number | undefined): AwsError {
  const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } };
  switch (protocol) {
    case 'restXml':
      return awsError('SlowDown', 'Please reduce your request rate.', { status: 503, ...headers });
    case 'ec2Query':
      return awsError('RequestLimitExceeded', 'Request limit exceeded.', { status: 503, ...headers });
    case 'awsQuery':
      return awsError('Throttling', 'Rate exceeded', { status: 400, ...headers });
    default:
      return awsError('ThrottlingException', 'Rate exceeded', { status: 400, ...headers });
  }
}
