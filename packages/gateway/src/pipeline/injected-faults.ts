import type { FaultRecord, FaultRequest, FaultTarget } from '@emu/control-client';
import type { Ids } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';

/** An injected fault that cuts the connection instead of a response. */
export class DroppedConnection extends Error {
  override readonly name = 'DroppedConnection';
  constructor() {
    super('the connection was cut by an injected fault');
  }
}

/** A call as the target of faults. */
interface Call {
  service: string;
  operation: string;
  accountId: string;
  region: string;
  protocol: string;
}

/** Largest number of faults. */
const MAX_RULES = 1000;

/** The active faults in the order of their addition. The first that applies decides. */
export class InjectedFaults {
  private rules: FaultRecord[] = [];

  constructor(private readonly ids: Ids) {}

  /** Whether faults are active. */
  get active(): boolean {
    return this.rules.length > 0;
  }

  /**
   * Adds a fault.
   * @throws RangeError above the largest number of faults
   */
  add(fault: FaultRequest): FaultRecord {
    if (this.rules.length >= MAX_RULES) throw new RangeError(`there are ${MAX_RULES} faults already`);
    const { share = 1, times, ...rest } = fault;
    const rule: FaultRecord = { id: this.ids.uuid(), ...rest, share, hits: 0 };
    if (times !== undefined) rule.remaining = times;
    this.rules.push(rule);
    return rule;
  }

  /** Returns the active faults, oldest first. */
  list(): readonly FaultRecord[] {
    return this.rules;
  }

  /** Ends one fault or all. @returns how many ended */
  clear(id?: string): number {
    const before = this.rules.length;
    this.rules = id === undefined ? [] : this.rules.filter((rule) => rule.id !== id);
    return before - this.rules.length;
  }

  /**
   * Applies the active faults to a call.
   * @throws AwsError the injected error
   * @throws DroppedConnection
   */
  async strike(call: Call): Promise<void> {
    const rule = this.rules.find((candidate) => matches(candidate, call) && this.ids.random() < candidate.share);
    if (!rule) return;
    rule.hits++;
    if (rule.remaining !== undefined && --rule.remaining <= 0) this.clear(rule.id);
    // Latency is real time for the client, even while the emulated clock is frozen.
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

/** Returns the usual throttling error of a protocol's services. */
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
