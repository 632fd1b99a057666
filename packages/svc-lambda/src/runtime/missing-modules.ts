import { parseArn } from '@emu/core/service';
import { parseJson } from '@emu/wire';
import type { Outcome } from './invocation.ts';

/** Runtime error types of missing modules. */
const MISSING = 'Runtime.ImportModuleError';

/** Functions with missing modules, for callers that wait for their response. */
export class MissingModules {
  private readonly listeners = new Map<string, Set<(problem: string) => void>>();

  /**
   * Subscribes to failures of a function.
   * @returns a function that unsubscribes
   */
  listen(functionArn: string, listener: (problem: string) => void): () => void {
    const arn = parseArn(functionArn);
    const key = keyOf(arn?.accountId ?? '', arn?.region ?? '', arn?.resource.split(':')[1] ?? '');
    const listeners = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.listeners.delete(key);
    };
  }

  /** Notifies subscribers of a failed invocation, if a module was missing. */
  failed(
    { accountId, region }: { readonly accountId: string; readonly region: string },
    functionName: string,
    { errorType, payload, advice }: Pick<Outcome, 'errorType' | 'payload' | 'advice'>,
  ): void {
    const listeners = this.listeners.get(keyOf(accountId, region, functionName));
    if (!listeners) return;
    const error = parsed(payload);
    if (errorType !== MISSING && error.errorType !== MISSING) return;
    // The first line names the missing module, the others its importers.
    const [problem = ''] = String(error.errorMessage ?? MISSING).split('\n');
    for (const listener of [...listeners]) listener(advice === undefined ? problem : `${problem}. ${advice}`);
  }
}

const keyOf = (...parts: string[]): string => parts.join(':');

function parsed(payload: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = parseJson(Buffer.from(payload).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
