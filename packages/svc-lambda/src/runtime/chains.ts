/** An invocation that runs, as far as chains of invocations are concerned. */
export interface RunningInvocation {
  functionArn: string;
  /** Id of the invocation that made it; undefined where none did. */
  cause: string | undefined;
  /** Id of its trace, which goes along with requests through other services. */
  trace: string;
  /** Whether the function has run in that trace before. */
  again: boolean;
  /** Whether whoever made it waits for it. */
  awaited: boolean;
}

/**
 * What waits for what: the invocations that run, by their ids. A function that invokes a function, in the end itself,
 * and waits for the answer keeps an environment meanwhile.
 */
export class Chains {
  private readonly running = new Map<string, RunningInvocation>();

  /** Notes an invocation that begins. @returns what to call at its end */
  begin(requestId: string, invocation: RunningInvocation): () => void {
    this.running.set(requestId, invocation);
    return () => {
      if (this.running.get(requestId) === invocation) this.running.delete(requestId);
    };
  }

  /** How many invocations of a function there are in a chain that ends with a request of a cause. */
  runsOf(functionArn: string, cause: string | undefined): number {
    let runs = 0;
    const seen = new Set<string>();
    for (let id = cause; id !== undefined && !seen.has(id); id = this.running.get(id)?.cause) {
      seen.add(id);
      if (this.running.get(id)?.functionArn === functionArn) runs++;
    }
    return runs;
  }

  /** Whether a function keeps an environment for as long as another invocation of it is waited for. */
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
