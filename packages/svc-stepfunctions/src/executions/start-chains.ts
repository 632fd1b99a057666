/** Starts of own state machines in one chain of executions, at once. */
const BURST = 1000;
/** The same per second, after the burst. */
const PER_SECOND = 1;

/** An execution as part of a chain of executions that start each other. */
export interface ChainLink {
  /** ARNs of the state machines from the first execution of the chain to this one. */
  readonly machines: ReadonlySet<string>;
  /** Tokens of the whole chain, and the time of their last update in epoch milliseconds. */
  readonly tokens: { left: number; at: number };
}

/**
 * Running executions by ARN, with the chains of executions that led to them. State machines that start themselves,
 * directly or through each other, are limited: AWS limits only the rate of all starts. A chain that continues in a new
 * execution more slowly never ends.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/tutorial-continue-new.html
 */
export class StartChains {
  private readonly links = new Map<string, ChainLink>();

  /** Adds a running execution to a chain. */
  begin(executionArn: string, link: ChainLink): void {
    this.links.set(executionArn, link);
  }

  /** Removes an execution that has ended. */
  end(executionArn: string): void {
    this.links.delete(executionArn);
  }

  /**
   * Returns the link of a running execution, which begins a chain if it has none.
   * @param now epoch milliseconds
   */
  of(executionArn: string, machineArn: string, now: number): ChainLink {
    const known = this.links.get(executionArn);
    if (known) return known;
    const link = { machines: new Set([machineArn]), tokens: { left: BURST, at: now } };
    this.links.set(executionArn, link);
    return link;
  }
}

/**
 * Returns the link of an execution that another one starts.
 * @param now epoch milliseconds
 * @returns undefined if the chain starts its own state machines too often
 */
export function nextLink({ machines, tokens }: ChainLink, machineArn: string, now: number): ChainLink | undefined {
  if (!machines.has(machineArn)) return { machines: new Set([...machines, machineArn]), tokens };
  tokens.left = Math.min(BURST, tokens.left + (Math.max(0, now - tokens.at) / 1000) * PER_SECOND);
  tokens.at = now;
  if (tokens.left < 1) return undefined;
  tokens.left--;
  return { machines, tokens };
}
