/** A running invocation as part of a chain. */
export interface RunningInvocation {
  functionArn: string;
  /** Id of the invoking invocation; undefined if there is none. */
  cause: string | undefined;
  /** Trace id, passed on through other services. */
  trace: string;
  /** Whether the function has run before in this trace. */
  again: boolean;
  /** Whether the caller waits for the result. */
  awaited: boolean;
}

/**
 * Running invocations by id, with their callers. A function that invokes itself, directly or indirectly, and waits for
 * the response occupies an environment meanwhile.
 */
export class Chains {
  private readonly running = new Map<string, RunningInvocation>();

  /**
   * Registers an invocation.
   * @returns a function to call at its end
   */
  begin(requestId: string, invocation: RunningInvocation): () => void {
    this.running.set(requestId, invocation);
    return () => {
      if (this.running.get(requestId) === invocation) this.running.delete(requestId);
    };
  }

  /** Counts the invocations of a function in the chain that leads to a request with a cause. */
  runsOf(functionArn: string, cause: string | undefined): number {
    let runs = 0;
    const seen = new Set<string>();
    for (let id = cause; id !== undefined && !seen.has(id); id = this.running.get(id)?.cause) {
      seen.add(id);
      if (this.running.get(id)?.functionArn === functionArn) runs++;
    }
    return runs;
  }

  /** Whether an environment of a function is occupied while waiting for another invocation of it. */
  waitsFor(invocation: RunningInvocation): boolean {
    const { functionArn, cause, trace, again, awaited } = invocation;
    if (!awaited) return false;
    if (this.runsOf(functionArn, cause) > 0) return true;
    if (!again) return false;
    for (const other of this.running.values())
      if (other !== invocation && other.trace === trace && other.functionArn === functionArn) return true;
    return false;
  }
}
